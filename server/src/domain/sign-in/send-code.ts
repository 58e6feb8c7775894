import { seconds } from "../../base/clock.ts";
import { Fault } from "../../base/fault.ts";
import type { Call } from "../../call/index.ts";
import { challengeOtp } from "../factor/index.ts";
import { findOneTimeSecret, type OneTimeSecret } from "../one-time-secret/index.ts";
import { type BrowserVisit, type SignInDeps, writeSignIn } from "./browser-visit.ts";
import type { SignIn } from "./state.ts";

/** How soon after a code another one can be sent. */
export const resendInterval = seconds(30);

/** Returns the milliseconds until another code can be sent in the attempt; 0 for at once. */
export async function findResendPause(
  { database: { read } }: Pick<SignInDeps, "database">,
  { instanceId, now }: Call,
  { signIn, kind }: { readonly signIn: SignIn; readonly kind: SentKind },
): Promise<number> {
  if (signIn.attemptId === undefined) return 0;
  const former = await findOneTimeSecret(read, instanceId, secretSubjectOf(signIn.attemptId, kind));
  return isTooSoon(former, now) ? former.createdAt + resendInterval - now : 0;
}

type SentKind = "otp_sms" | "otp_email";
const secretSubjectOf = (subjectId: string, kind: SentKind) => ({ kind: `session_${kind}`, subjectId }) as const;

const isTooSoon = (former: OneTimeSecret | undefined, now: number): former is OneTimeSecret =>
  former !== undefined && former.consumedAt === null && former.createdAt + resendInterval > now;

/**
 * Sends the user a code that is valid for this attempt alone. A code that was sent just now stays: a form that is sent
 * twice does not invalidate the first message. A failure is shown on the page of the attempt.
 */
export async function sendSecondFactorCode(
  deps: SignInDeps,
  call: Call,
  visit: BrowserVisit,
  { signIn, kind }: { readonly signIn: SignIn; readonly kind: SentKind },
): Promise<void> {
  const { userId, attemptId } = signIn;
  if (userId === undefined || attemptId === undefined) return;
  try {
    await deps.database.touch(call, async (tx) => {
      if (isTooSoon(await findOneTimeSecret(tx, tx.instanceId, secretSubjectOf(attemptId, kind)), tx.now)) return;
      const challenge = { kind, userId, sessionId: attemptId, delivery: { by: "message" }, field: "code" } as const;
      // The state machine asks for a second factor only after a first one.
      await challengeOtp(tx, deps, { ...challenge, isAfterFirstFactor: true });
    });
    deps.messageQueued.give();
  } catch (error) {
    if (!(error instanceof Fault)) throw error;
    await writeSignIn(deps, call, visit, { ...signIn, problem: { id: error.id, values: error.values } });
  }
}
