import type { Call } from "../../call/index.ts";
import { findUserScope } from "../user/index.ts";
import type { BrowserVisit } from "./browser-visit.ts";
import { listSecondFactorsAt, type SecondFactorDeps } from "./second-factors.ts";
import type { SignIn } from "./state.ts";

/**
 * Returns whether the user has a second factor, even one that does not help here. Such a user cannot set up another
 * during the attempt.
 */
export async function hasSecondFactor(
  deps: SecondFactorDeps,
  call: Call,
  { host }: Pick<BrowserVisit, "host">,
  { userId }: SignIn,
): Promise<boolean> {
  const user = userId === undefined ? undefined : await findUserScope(deps.database.read, call.instanceId, userId);
  if (user?.state !== "active" || user.organizationState !== "active") return false;
  return (await listSecondFactorsAt(deps, call, { ...user, host })).hasAny;
}
