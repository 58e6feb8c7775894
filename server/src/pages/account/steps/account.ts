import { type Call, noAccess } from "../../../call/index.ts";
import {
  type BrowserAccount,
  isFreshlySignedIn,
  listBrowserAccounts,
  listSignedInSessions,
  type Session,
} from "../../../domain/session/index.ts";
import { getUser, type HumanUser } from "../../../domain/user/index.ts";
import type { WebResponse } from "../../../web/index.ts";
import type { PageDeps } from "../../deps.ts";
import type { Href } from "../../html/index.ts";
import { type GoalName, goalOf } from "../../login/steps/goals.ts";
import { pathTo, seeOther } from "../../visit/answer.ts";
import { inLanguageOf, inLookOf, type Visit } from "../../visit/visit.ts";

/** A person who looks at his own account. */
export interface Account {
  readonly visit: Visit;
  /** The call of the person: he acts on his own account and has no permission at all, whatever he administers. */
  readonly call: Call;
  readonly session: Session;
  readonly user: HumanUser & { readonly loginNames: readonly string[] };
  readonly organizationName: string;
  /** Others who are signed in in this browser. */
  readonly others: readonly BrowserAccount[];
}

export const isAccount = (found: Account | WebResponse): found is Account => "others" in found;

/**
 * Whose account the visit is about: the session that the address names, when it is one of this browser and signed in; without a name the newest. Leads
 * to the login where nobody is signed in, and to the same page without the name where the name means nothing here.
 */
export async function openAccount(deps: PageDeps, visit: Visit, goal: GoalName): Promise<Account | WebResponse> {
  const { call, browser, query } = visit;
  const wanted = query.get("session");
  const signedIn = visit.isKnown ? await listSignedInSessions(deps, call, browser.hash) : [];
  const accounts = visit.isKnown ? await listBrowserAccounts(deps.database.read, call.instanceId, browser.hash) : [];
  const session = wanted === null ? signedIn[0] : signedIn.find(({ sessionId }) => sessionId === wanted);
  const found = accounts.find((account) => account.session.sessionId === session?.sessionId);
  if (session?.userId === undefined || session.organizationId === undefined || found === undefined) {
    const isKnownHere = accounts.some((account) => account.session.sessionId === wanted);
    return wanted === null || isKnownHere || signedIn.length === 0 ? toLogin(goal, visit) : seeOther(goalOf(goal).path);
  }
  const { userId, organizationId, sessionId } = session;
  const caller = { userId, organizationId, sessionId, access: noAccess };
  const user = await getUser(deps, { ...call, caller }, { userId });
  if (user.kind !== "human") return toLogin(goal, visit);
  const inLanguage = inLanguageOf(
    visit,
    user.profile.preferredLanguage === undefined ? [] : [user.profile.preferredLanguage],
  );
  const isOther = ({ session: other }: BrowserAccount): boolean =>
    other.sessionId !== sessionId && signedIn.some((one) => one.sessionId === other.sessionId);
  return {
    visit: inLookOf(inLanguage, organizationId),
    call: { ...inLanguage.call, caller },
    session,
    user,
    organizationName: found.organizationName,
    others: accounts.filter(isOther),
  };
}

/**
 * The login, and from there to the goal. After a form its page is shown, also where it would lead straight to a provider: what follows a form of an account
 * stays here, and browsers keep it to that.
 */
export const toLogin = (goal: GoalName, { request: { method } }: Pick<Visit, "request">): WebResponse =>
  seeOther(pathTo("/ui/login", { goal, account: method === "POST" ? "other" : undefined }));

/** Whether everything that the person signs in with was checked not longer than `maxAge` milliseconds ago. */
export const isFresh = (deps: PageDeps, { call, session }: Account, maxAge: number): Promise<boolean> =>
  isFreshlySignedIn(deps, call, session, maxAge);

/** The address of a page of this account. */
export const pageIn = (
  { session }: Pick<Account, "session">,
  path: string,
  parameters: Readonly<Record<string, string | undefined>> = {},
): Href => pathTo(path, { session: session.sessionId, ...parameters });
