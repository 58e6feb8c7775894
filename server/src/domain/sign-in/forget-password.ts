import type { Call } from "../../call/index.ts";
import { mayPrepareFor, mayVouchFor } from "../administrator-access/index.ts";
import { sendPasswordReset } from "../password/index.ts";
import { loginSettingsOf, offersReset } from "../settings/index.ts";
import { type BrowserVisit, organizationOf, type SignInDeps, writeSignIn } from "./browser-visit.ts";
import { readDiscovery } from "./read-name.ts";
import type { CurrentSignIn } from "./state.ts";

/**
 * Returns whether a login offers a password reset. Where unknown names cannot be told from others, the name alone
 * decides: the organization of the request, or that of the name's domain.
 */
export async function isResetOffered(
  deps: SignInDeps,
  call: Call,
  visit: BrowserVisit,
  signIn: CurrentSignIn,
): Promise<boolean> {
  const { discoveredOrganizationId, hidesUnknown } = await readDiscovery(deps, call, visit, signIn.loginName);
  const settings = await loginSettingsOf(deps, call, {
    organizationId: organizationOf(visit) ?? discoveredOrganizationId,
  });
  return signIn.userId === undefined || hidesUnknown ? offersReset(settings) : isResetAllowed(deps, call, signIn);
}

async function isResetAllowed(
  deps: SignInDeps,
  call: Call,
  { userId, userOrganizationId }: CurrentSignIn,
): Promise<boolean> {
  return offersReset(await loginSettingsOf(deps, call, { organizationId: userOrganizationId, userId }));
}

/**
 * Sends the named user a code for a new password, where the settings of the login and of the user's organization allow
 * it. Reveals nothing to the browser, and writes as much for an unknown name.
 */
export async function forgetPassword(
  deps: SignInDeps,
  call: Call,
  visit: BrowserVisit,
  signIn: CurrentSignIn,
): Promise<void> {
  await writeSignIn(deps, call, visit, { ...signIn, problem: undefined });
  const { userId } = signIn;
  const isOffered = await isResetOffered(deps, call, visit, signIn);
  if (userId !== undefined && isOffered && (await isResetAllowed(deps, call, signIn))) {
    await sendPasswordReset({ ...deps, mayPrepareFor, mayVouchFor }, call, { userId });
  } else {
    await writeSignIn(deps, call, visit, { ...signIn, problem: undefined });
  }
}
