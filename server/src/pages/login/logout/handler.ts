import { minutes } from "../../../base/clock.ts";
import { addressKey } from "../../../base/names/address-key.ts";
import { markAmbiguous, shownLoginName } from "../../../base/names/shown-login-name.ts";
import type { Client } from "../../../domain/application/index.ts";
import { leaveForProvider } from "../../../domain/identity-provider-logout/index.ts";
import { leadThroughPartners } from "../../../domain/logout-notice/index.ts";
import { matchPostLogoutRedirectUri } from "../../../domain/oidc-configuration/index.ts";
import { type BrowserAccount, listBrowserAccounts, listEndedAccounts } from "../../../domain/session/index.ts";
import { signBrowserOut } from "../../../domain/sign-out/index.ts";
import { appendQuery } from "../../../web/index.ts";
import type { PageDeps } from "../../deps.ts";
import { pathTo, seeOther, show } from "../../visit/answer.ts";
import type { FormHandler, PageHandler } from "../../visit/handlers.ts";
import { inLanguageOf, inLookOf, type Visit } from "../../visit/visit.ts";
import { loggedOutPage } from "./done-view.ts";
import { logoutPage } from "./view.ts";

/** Parameters from the end session endpoint. Checked here again, because they come through the browser. */
interface LogoutRequest {
  readonly client: Client | undefined;
  /** The registered address for the browser afterwards, with the state; undefined for our own page. */
  readonly target: string | undefined;
}

/** `/ui/logout`: asks before signing out, because any site could have sent the browser here. */
export const showLogout: PageHandler = async (deps, visit) => {
  const { client, target } = await readRequest(deps, visit);
  const accounts = await listBrowserAccounts(deps.database.read, visit.call.instanceId, visit.browser.hash);
  if (accounts.length === 0) {
    // Without a question: half-finished sign-ins are all that there is, and to begin again is all that another site
    // could make of it.
    const browser = { browserHash: visit.browser.hash, sessionIds: [] };
    if (visit.isKnown) await deps.database.touch(visit.call, (tx) => signBrowserOut(tx, browser));
    return seeOther(target ?? "/ui/logout/done");
  }
  const localised = inLanguageOf(visit, (visit.query.get("ui_locales") ?? "").split(" "));
  const look = onlyOrganizationOf(accounts);
  const isSelected = selection(accounts, visit.query.get("logout_hint"));
  return show(deps, inLookOf(localised, look), (context) =>
    logoutPage(context, {
      action: pathTo("/ui/logout", parametersOf(visit)),
      client: client && { name: client.name },
      sessions: markAmbiguous(accounts).map((account) => ({
        displayName: account.displayName,
        loginName: account.loginName,
        isAmbiguous: account.isAmbiguous,
        avatarFile: account.avatarFile,
        organizationName: account.organizationName,
        sessionId: account.session.sessionId,
        isSelected: isSelected(account),
      })),
      cancelHref: pathTo("/"),
    }),
  );
};

export const takeLogout: FormHandler = async (deps, visit, form) => {
  const sessionIds = form.getAll("session_id");
  if (sessionIds.length === 0) return seeOther(pathTo("/ui/logout", parametersOf(visit)));
  const { target } = await readRequest(deps, visit);
  const browserHash = visit.browser.hash;
  const ended = await deps.database.touch(visit.call, (tx) => signBrowserOut(tx, { browserHash, sessionIds }));
  const address = target ?? "/ui/logout/done";
  const after = { kind: "address", target: address } as const;
  const through = await leadThroughPartners(deps, visit.request, { browserHash, after });
  const leaving = { origin: visit.request.instance.origin, ended, target: through?.address ?? address };
  const next = await leaveForProvider(deps, visit.call, leaving);
  return seeOther(next, through && { "set-cookie": [through.cookie] });
};

/** The organization of all accounts, which determines the branding; with several it is the instance's. */
function onlyOrganizationOf(accounts: readonly BrowserAccount[]): string | undefined {
  const [one, ...others] = new Set(accounts.map(({ session }) => session.organizationId));
  return others.length === 0 ? one : undefined;
}

// Long enough to read the page and to reload it.
const recently = minutes(5);

/** `/ui/logout/done`: the sessions that just ended in this browser, and those that are left. */
export const showLoggedOut: PageHandler = async (deps, visit) => {
  const { call, browser } = visit;
  const { read } = deps.database;
  const key = { browserHash: browser.hash, since: call.now - recently };
  const [ended, remaining] = await Promise.all([
    listEndedAccounts(read, call.instanceId, key),
    listBrowserAccounts(read, call.instanceId, browser.hash),
  ]);
  const signInHref = pathTo("/ui/login");
  const look = onlyOrganizationOf([...ended, ...remaining]);
  return show(deps, inLookOf(visit, look), (context) => loggedOutPage(context, { ended, remaining, signInHref }), {
    hasForm: false,
  });
};

async function readRequest(deps: PageDeps, { call, query }: Visit): Promise<LogoutRequest> {
  const clientId = query.get("client_id");
  const client = clientId === null ? undefined : await deps.clients.find(call.instanceId, clientId);
  const uri = query.get("post_logout_redirect_uri");
  if (client === undefined || uri === null) return { client, target: undefined };
  const matched = matchPostLogoutRedirectUri(client, uri);
  const state = query.get("state");
  if (matched === undefined || state === null) return { client, target: matched };
  return { client, target: appendQuery(matched, { state }) };
}

const names = ["client_id", "logout_hint", "post_logout_redirect_uri", "state", "ui_locales"];

const parametersOf = ({ query }: Visit): Record<string, string | undefined> =>
  Object.fromEntries(names.map((name) => [name, query.get(name) ?? undefined]));

/** Returns the account in the application's hint, when it is here; otherwise all. */
function selection(accounts: readonly BrowserAccount[], hint: string | null): (account: BrowserAccount) => boolean {
  const wanted = addressKey(hint ?? "");
  const isHinted = ({ loginName }: BrowserAccount): boolean =>
    [loginName, shownLoginName(loginName)].map(addressKey).includes(wanted);
  return accounts.some(isHinted) ? isHinted : () => true;
}
