import { Fault } from "../../base/fault.ts";
import type { Call } from "../../call/index.ts";
import type { Tx } from "../../database/index.ts";
import {
  type RecordDeps,
  recordFailedSignIn,
  recordSignInAttempt,
  type SignInCheck,
  type SignInOutcome,
  type SignInStep,
} from "../sign-in-attempt/index.ts";
import { hasFirstFactor } from "./authentication.ts";
import type { Factors, SessionUser, UserAgent } from "./session.ts";

/** The session of a custom login is the attempt: its id is that of the record. */
interface Recorded {
  readonly sessionId: string;
  readonly user: SessionUser | undefined;
  readonly userAgent: UserAgent;
}

const checksOfFactors: readonly (readonly [keyof Factors, SignInCheck])[] = [
  ["passwordCheckedAt", "password"],
  ["webAuthNCheckedAt", "passkey"],
  ["intentCheckedAt", "identity_provider"],
  ["totpCheckedAt", "totp"],
  ["otpSmsCheckedAt", "otp_sms"],
  ["otpEmailCheckedAt", "otp_email"],
  ["recoveryCodeCheckedAt", "recovery_codes"],
];

/** Step: records what was proven in a session. Its name alone is no attempt. */
export function recordChecks(tx: Tx, { sessionId, user, userAgent }: Recorded, factors: Factors): void {
  const { identityProviderId } = factors;
  const steps = checksOfFactors
    .filter(([name]) => factors[name] !== undefined)
    .map(
      ([, check]): SignInStep => ({
        check,
        outcome: "passed",
        ...(check === "identity_provider" && { identityProviderId }),
      }),
    );
  if (steps.length === 0) return;
  const result = hasFirstFactor({ factors }) ? "signed_in" : "unfinished";
  recordSignInAttempt(tx, { attemptId: sessionId, user, sessionId, userAgent, result, steps });
}

/** Records a check that failed, by its fault; nothing of other faults. */
export async function recordFailedCheck(
  deps: RecordDeps,
  call: Call,
  error: unknown,
  { sessionId, user, userAgent }: Omit<Recorded, "sessionId"> & { readonly sessionId: string | undefined },
): Promise<void> {
  const step = error instanceof Fault ? stepOf(error) : undefined;
  if (step === undefined) return;
  await recordFailedSignIn(deps, call, { attemptId: sessionId, sessionId, user, userAgent, steps: [step] });
}

function stepOf({ id, field = "", values = {} }: Fault): SignInStep | undefined {
  const outcome = outcomes[id];
  if (outcome === undefined) return undefined;
  if (id === "user.not_active") return { check: "name", outcome, setting: "user_state" };
  const check = checksOfFields[field.split(".")[1] ?? ""] ?? "password";
  const { failedAttempts } = values;
  const isBlocked = outcome === "blocked";
  return {
    check,
    outcome,
    ...(typeof failedAttempts === "number" && { failedAttempts }),
    ...(isBlocked && { setting: check === "password" ? "lockout_password_attempts" : "lockout_otp_attempts" }),
  };
}

const checksOfFields: Readonly<Record<string, SignInCheck>> = {
  password: "password",
  webAuthN: "passkey",
  idpIntent: "identity_provider",
  totp: "totp",
  otpSms: "otp_sms",
  otpEmail: "otp_email",
  recoveryCode: "recovery_codes",
};

const outcomes: Readonly<Record<string, SignInOutcome>> = {
  "user.password_wrong": "wrong",
  "user.password_blocked": "blocked",
  "user.password_absent": "absent",
  "password.throttled": "throttled",
  "user.credential_suspended": "refused",
  "user.not_active": "not_allowed",
  "factor.code_wrong": "wrong",
  "factor.blocked": "blocked",
  "factor.absent": "absent",
  "factor.challenge_absent": "expired",
  "factor.key_refused": "wrong",
};
