import type { Call } from "../../call/index.ts";
import { findUserScope, sendPasswordReset } from "../user/index.ts";
import { type BrowserVisit, type SignInDeps, writeSignIn } from "./browser-visit.ts";
import { settingsOf } from "./enter-name.ts";
import type { SignIn } from "./state.ts";

/** Whether whoever was named may ask for a new password. For names that nobody has the settings of the place decide. */
export async function isResetOffered(
  deps: SignInDeps,
  call: Call,
  { authRequest }: BrowserVisit,
  { userId }: SignIn,
): Promise<boolean> {
  const user = userId === undefined ? undefined : await findUserScope(deps.database.read, call.instanceId, userId);
  const settings = await settingsOf(deps, call, user?.organizationId ?? authRequest?.parameters.organizationId);
  return settings.allowLocalAuthentication && !settings.hidePasswordReset;
}

/**
 * Sends whoever was named a code for a new password, where the settings let people ask for one. Tells nothing to who asks, and writes as much for a
 * name that nobody has.
 */
export async function forgetPassword(deps: SignInDeps, call: Call, visit: BrowserVisit, at: SignIn): Promise<void> {
  await writeSignIn(deps, call, visit, { ...at, problem: undefined });
  if (at.userId !== undefined && (await isResetOffered(deps, call, visit, at))) {
    await sendPasswordReset(deps, call, { userId: at.userId });
  } else {
    await writeSignIn(deps, call, visit, { ...at, problem: undefined });
  }
}
