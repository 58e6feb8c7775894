import type { Call } from "../../call/index.ts";
import { findUserScope } from "../user/index.ts";
import type { BrowserVisit, SignInDeps } from "./browser-visit.ts";
import { hasSecondFactor } from "./has-second-factor.ts";
import { proceedWithSetUp } from "./proceed-with-set-up.ts";
import type { SignIn } from "./state.ts";
import type { StepOutcome } from "./step-outcome.ts";

/**
 * Goes on with a user who was to set up a second factor and got one meanwhile, in another tab or from an administrator:
 * it is decided again what to ask for. Undefined when the user has none.
 */
export async function passSetUp(
  deps: SignInDeps,
  call: Call,
  visit: BrowserVisit,
  signIn: SignIn,
): Promise<StepOutcome | undefined> {
  if (!(await hasSecondFactor(deps, call, visit, signIn))) return undefined;
  const user =
    signIn.userId === undefined ? undefined : await findUserScope(deps.database.read, call.instanceId, signIn.userId);
  if (user === undefined) return undefined;
  return proceedWithSetUp(deps, call, visit, { signIn, user });
}
