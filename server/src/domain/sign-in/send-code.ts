import { seconds } from "../../base/clock.ts";
import { Fault } from "../../base/fault.ts";
import type { Call } from "../../call/index.ts";
import { challengeOtp } from "../factor/index.ts";
import { findOneTimeSecret } from "../one-time-secret/index.ts";
import { type BrowserVisit, type SignInDeps, writeSignIn } from "./browser-visit.ts";
import type { SignIn } from "./state.ts";

/** How soon after a code another one can be sent. */
export const resendInterval = seconds(30);

/**
 * Sends the person on the way a code, which is good for this way alone. One that was sent just now stays: a form that is sent twice does not make
 * the first message useless. What stands in the way is said at the step.
 */
export async function sendSecondFactorCode(
  deps: SignInDeps,
  call: Call,
  visit: BrowserVisit,
  { at, kind }: { readonly at: SignIn; readonly kind: "otp_sms" | "otp_email" },
): Promise<void> {
  const { userId, wayId } = at;
  if (userId === undefined || wayId === undefined) return;
  const place = { kind: `session_${kind}`, subjectId: wayId } as const;
  try {
    await deps.database.touch(call, async (tx) => {
      const former = await findOneTimeSecret(tx, tx.instanceId, place);
      if (former !== undefined && former.consumedAt === null && former.createdAt + resendInterval > tx.now) return;
      await challengeOtp(tx, deps, { kind, userId, sessionId: wayId, delivery: { by: "message" }, field: "code" });
    });
  } catch (error) {
    if (!(error instanceof Fault)) throw error;
    await writeSignIn(deps, call, visit, { ...at, problem: { id: error.id } });
  }
}
