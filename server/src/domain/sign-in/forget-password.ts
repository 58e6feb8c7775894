import type { Call } from "../../call/index.ts";
import { sendPasswordReset } from "../password/index.ts";
import type { LoginSettings } from "../settings/index.ts";
import { findUserScope } from "../user/index.ts";
import { type BrowserVisit, organizationOf, type SignInDeps, writeSignIn } from "./browser-visit.ts";
import { discoverOrganization, hidesUnknownNames } from "./find-place-of-name.ts";
import { settingsOf } from "./settings-of.ts";
import type { SignIn } from "./state.ts";

/**
 * Returns whether a login offers a password reset. Where unknown names cannot be told from others, the name alone
 * decides: the organization of the request, or that of the name's domain.
 */
export async function isResetOffered(
  deps: SignInDeps,
  call: Call,
  visit: BrowserVisit,
  { userId, loginName }: Pick<SignIn, "userId" | "loginName">,
): Promise<boolean> {
  const place = organizationOf(visit) ?? (await discoverOrganization(deps, call, visit, loginName));
  const settings = await settingsOf(deps, call, place);
  if (userId === undefined || (await hidesUnknownNames(deps, call, visit, loginName))) return offersReset(settings);
  return isResetAllowed(deps, call, userId);
}

const offersReset = ({ allowLocalAuthentication, hidePasswordReset }: LoginSettings): boolean =>
  allowLocalAuthentication && !hidePasswordReset;

async function isResetAllowed(deps: SignInDeps, call: Call, userId: string): Promise<boolean> {
  const user = await findUserScope(deps.database.read, call.instanceId, userId);
  return offersReset(await settingsOf(deps, call, user?.organizationId, userId));
}

/**
 * Sends the named user a code for a new password, where the settings of the login and of the user's organization allow
 * it. Reveals nothing to the browser, and writes as much for an unknown name.
 */
export async function forgetPassword(deps: SignInDeps, call: Call, visit: BrowserVisit, at: SignIn): Promise<void> {
  await writeSignIn(deps, call, visit, { ...at, problem: undefined });
  const { userId } = at;
  const isOffered = await isResetOffered(deps, call, visit, at);
  if (userId !== undefined && isOffered && (await isResetAllowed(deps, call, userId))) {
    await sendPasswordReset(deps, call, { userId });
  } else {
    await writeSignIn(deps, call, visit, { ...at, problem: undefined });
  }
}
