import type { Call } from "../../call/index.ts";
import { isOfRequestedUser } from "../auth-request/index.ts";
import { type BrowserAccount, listBrowserAccounts } from "../session/index.ts";
import type { BrowserVisit, SignInDeps } from "./browser-visit.ts";

/**
 * Lists the accounts of the browser that the waiting request allows: those of the organization and of the users that it
 * names. They may be signed out or too old for the request, so that their user has to prove something again. Last used
 * first.
 */
export async function listEligibleAccounts(
  deps: Pick<SignInDeps, "database">,
  { instanceId }: Call,
  { browserHash, authRequest }: Pick<BrowserVisit, "browserHash" | "authRequest">,
): Promise<BrowserAccount[]> {
  const accounts = await listBrowserAccounts(deps.database.read, instanceId, browserHash);
  if (authRequest === undefined) return accounts;
  return accounts.filter(({ session }) => isOfRequestedUser(session, authRequest.parameters));
}
