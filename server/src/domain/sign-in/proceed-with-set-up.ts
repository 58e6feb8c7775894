import type { Call } from "../../call/index.ts";
import type { Factors } from "../session/index.ts";
import type { UserScope } from "../user/index.ts";
import type { BrowserVisit, SignInDeps } from "./browser-visit.ts";
import { proceed } from "./proceed.ts";
import { epochOf, type SignIn } from "./state.ts";
import type { StepOutcome } from "./step-outcome.ts";

interface SetUp {
  readonly signIn: SignIn;
  readonly user: Pick<UserScope, "userId" | "organizationId">;
  readonly checked?: Factors;
}

/**
 * Goes on with an attempt whose user set up a second factor, postponed it or has one by now; `checked` is what was
 * checked while setting it up.
 */
export function proceedWithSetUp(
  deps: SignInDeps,
  call: Call,
  visit: BrowserVisit,
  { signIn, user, checked }: SetUp,
): Promise<StepOutcome> {
  const { loginName, attemptId } = signIn;
  return proceed(deps, call, visit, {
    userId: user.userId,
    organizationId: user.organizationId,
    loginName,
    factors: { ...signIn.factors, ...checked },
    signInEpoch: epochOf(signIn),
    attemptId,
    keepsSecret: true,
    ...(checked !== undefined && { steps: [{ check: "second_factor_setup", outcome: "passed" }] }),
  });
}
