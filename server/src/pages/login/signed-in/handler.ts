import { type BrowserAccount, listBrowserAccounts, listSignedInSessions } from "../../../domain/session/index.ts";
import type { PageDeps } from "../../deps.ts";
import { pathTo, seeOther, show } from "../../visit/answer.ts";
import type { PageHandler } from "../../visit/handlers.ts";
import { inLookOf, type Visit } from "../../visit/visit.ts";
import { findPasswordRenewal } from "../flow/password-renewal.ts";
import { consoleHrefFor } from "../parts/console-href.ts";
import { signedInPage } from "./view.ts";

/** `/ui/login/signed-in`: signed in, and no application is waiting. */
export const showSignedIn: PageHandler = async (deps, visit) => {
  const account = await findSignedIn(deps, visit);
  if (account === undefined) return seeOther("/ui/login");
  const signOutHref = pathTo("/ui/logout");
  const { organizationId } = account.session;
  const renewHref = await findPasswordRenewal(deps, visit, account.session);
  const links = { consoleHref: await consoleHrefFor(deps, visit, account) };
  return show(
    deps,
    inLookOf(visit, organizationId),
    (context) => signedInPage(context, { account, renewHref, links, signOutHref }),
    {
      hasForm: false,
    },
  );
};

/** Finds the account that most recently signed in in this browser and still is. */
export async function findSignedIn(deps: PageDeps, { call, browser }: Visit): Promise<BrowserAccount | undefined> {
  const [newest] = await listSignedInSessions(deps, call, browser.hash);
  if (newest === undefined) return undefined;
  const accounts = await listBrowserAccounts(deps.database.read, call.instanceId, browser.hash);
  return accounts.find(({ session }) => session.sessionId === newest.sessionId);
}
