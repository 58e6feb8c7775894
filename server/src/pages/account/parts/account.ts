import { type Call, noAccess } from "../../../call/index.ts";
import { isAppointed } from "../../../domain/administrator-access/index.ts";
import {
  type BrowserAccount,
  isFreshlySignedIn,
  listBrowserAccounts,
  listSignedInSessions,
  preparationsOf,
  type Session,
} from "../../../domain/session/index.ts";
import type { HumanUser } from "../../../domain/user/index.ts";
import { getUser } from "../../../domain/user-search/index.ts";
import type { Href } from "../../../html/index.ts";
import type { WebResponse } from "../../../web/index.ts";
import type { PageDeps } from "../../deps.ts";
import { type GoalName, goalOf } from "../../login/flow/goals.ts";
import { pathTo, seeOther } from "../../visit/answer.ts";
import { inLanguageOf, inLookOf, type Visit } from "../../visit/visit.ts";

/** A user who views their own account. */
export interface Account {
  readonly visit: Visit;
  /** The call of the user, who acts on their own account without any permissions. */
  readonly call: Call;
  readonly session: Session;
  readonly user: HumanUser & { readonly loginNames: readonly string[] };
  readonly organizationName: string;
  /** Whether the user administers something, or is asked to. */
  readonly hasAppointments: boolean;
  /** Other users who are signed in in this browser. */
  readonly others: readonly BrowserAccount[];
}

export const isAccount = (found: Account | WebResponse): found is Account => "others" in found;

/**
 * Finds the account of the visit: the session in the address, when it belongs to this browser and is signed in; without
 * one, the newest session. Redirects to the login when no user is signed in, and to the same page without the session
 * when it is unknown here.
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
  const preparedBy = preparationsOf(session);
  const caller = { userId, organizationId, sessionId, preparedBy, access: noAccess };
  const [user, hasAppointments] = await Promise.all([
    getUser(deps, { ...call, caller }, { userId }),
    isAppointed(deps.database.read, call.instanceId, userId),
  ]);
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
    hasAppointments,
    others: accounts.filter(isOther),
  };
}

/**
 * Redirects to the login, and from there to the goal. After a form the login shows its page, even where it would
 * redirect straight to a provider: what follows an account form stays on this host, to which the content security
 * policy restricts it.
 */
export const toLogin = (goal: GoalName, { request: { method } }: Pick<Visit, "request">): WebResponse =>
  seeOther(pathTo("/ui/login", { goal, account: method === "POST" ? "other" : undefined }));

/** Whether everything that the user signed in with was checked at most `maxAge` milliseconds ago. */
export const isFresh = (deps: PageDeps, { call, session }: Account, maxAge: number): Promise<boolean> =>
  isFreshlySignedIn(deps, call, session, maxAge);

/** Returns the address of a page of this account. */
export const pageIn = (
  { session }: Pick<Account, "session">,
  path: string,
  parameters: Readonly<Record<string, string | undefined>> = {},
): Href => pathTo(path, { session: session.sessionId, ...parameters });
