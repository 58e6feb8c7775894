import { type Call, joinPreparations, preparationsBy } from "../../call/index.ts";
import { checkOtp, checkRecoveryCode, checkTotp, type FactorCheck } from "../factor/index.ts";
import { type Factors, hasFirstFactor, joinChecks } from "../session/index.ts";
import type { SignInCheck, SignInStep } from "../sign-in-attempt/index.ts";
import { findUserScope, type UserScope } from "../user/index.ts";
import { checkKey, type UntrustedCredential } from "../webauthn-key/index.ts";
import type { BrowserVisit, SignInDeps } from "./browser-visit.ts";
import { proceed } from "./proceed.ts";
import { runAfterProof } from "./run-after-proof.ts";
import { listSecondFactorsAt } from "./second-factors.ts";
import type { Problem, SignIn } from "./state.ts";
import { type StepOutcome, stay } from "./step-outcome.ts";
import { notActive, scriptRefused, stepsOfCode } from "./steps-of-checks.ts";

/** A code that was typed, or what a security key gave the browser. */
export type SecondProof =
  | { readonly kind: "totp" | "recovery_codes"; readonly code: string }
  | { readonly kind: "otp_sms"; readonly code: string }
  | { readonly kind: "otp_email"; readonly code: string }
  | { readonly kind: "key"; readonly credential: UntrustedCredential };

/** Checks a second factor of a user who proved the first one. */
export async function proveSecondFactor(
  deps: SignInDeps,
  call: Call,
  visit: BrowserVisit,
  { signIn, proof }: { readonly signIn: SignIn; readonly proof: SecondProof },
): Promise<StepOutcome> {
  const user =
    signIn.userId === undefined ? undefined : await findUserScope(deps.database.read, call.instanceId, signIn.userId);
  const sessionId = signIn.attemptId;
  if (user === undefined || sessionId === undefined || user.state !== "active" || user.organizationState !== "active") {
    return stay(deps, call, visit, {
      signIn,
      problem: { id: "sign_in.not_possible" },
      ...(user !== undefined && { failure: { user, steps: [notActive] } }),
    });
  }
  const { usable } = await listSecondFactorsAt(deps, call, { ...user, host: visit.host });
  // A factor that the settings no longer allow is not evaluated, whatever page it comes from.
  if (!usable.includes(proof.kind)) {
    const steps = [{ check: proof.kind, outcome: "not_allowed", setting: "second_factors" }] as const;
    return stay(deps, call, visit, { signIn, problem: refusals.absent, failure: { user, steps } });
  }
  const check = await evaluate(deps, call, { user, sessionId, proof });
  if ("problem" in check) {
    const { problem, steps } = check;
    return stay(deps, call, visit, { signIn, problem, ...(steps.length > 0 && { failure: { user, steps } }) });
  }
  const { userId, organizationId } = user;
  const factors = withKnown(signIn.factors, check.factors);
  const { loginName, attemptId, signInEpoch = user.signInEpoch } = signIn;
  const method = proof.kind === "key" ? "U2F" : "OTP";
  const problem = await runAfterProof(deps, call, visit, { userId, organizationId, loginName, method });
  const passed = { check: proof.kind, outcome: "passed" } as const;
  if (problem !== undefined) {
    return stay(deps, call, visit, { signIn, problem, failure: { user, steps: [passed, scriptRefused] } });
  }
  // The first proof of an attempt gives the browser another secret.
  const isStepUp = !hasFirstFactor(signIn);
  const proven = {
    userId,
    organizationId,
    loginName,
    factors,
    signInEpoch,
    attemptId,
    steps: [passed],
    isStepUp,
    keepsSecret: !isStepUp,
  };
  return proceed(deps, call, visit, proven);
}

// What the attempt depends on stays unknown as long as nothing is known of it.
function withKnown(former: Factors, { preparedBy: added = [], ...checks }: Factors): Factors {
  const { preparedBy } = former;
  const isKnown = preparedBy !== undefined || added.length > 0;
  const joined = joinChecks(former, checks);
  return { ...joined, ...(isKnown && { preparedBy: joinPreparations(preparedBy ?? [], added) }) };
}

interface Evaluate {
  readonly user: UserScope;
  readonly sessionId: string;
  readonly proof: SecondProof;
}

type Evaluated = { readonly factors: Factors } | { readonly problem: Problem; readonly steps: readonly SignInStep[] };

async function evaluate(deps: SignInDeps, call: Call, { user, sessionId, proof }: Evaluate): Promise<Evaluated> {
  const { now } = call;
  switch (proof.kind) {
    case "totp":
      return judge("totp", await checkTotp(deps, call, { user, code: proof.code }), { totpCheckedAt: now });
    case "otp_sms": {
      const { kind, code } = proof;
      return judge(kind, await checkOtp(deps, call, { user, kind, sessionId, code }), { otpSmsCheckedAt: now });
    }
    case "otp_email": {
      const { kind, code } = proof;
      return judge(kind, await checkOtp(deps, call, { user, kind, sessionId, code }), { otpEmailCheckedAt: now });
    }
    case "recovery_codes":
      return judge(proof.kind, await checkRecoveryCode(deps, call, { user, code: proof.code }), {
        recoveryCodeCheckedAt: now,
      });
    case "key": {
      const check = await checkKey(deps, call, { user, sessionId, credential: proof.credential });
      if (check.outcome !== "correct") {
        return { problem: { id: "sign_in.key_refused" }, steps: [{ check: "key", outcome: "wrong" }] };
      }
      const { isUserVerified, isOneFactor, author } = check;
      // With the user verified, it is a first factor as well: it may be the only one that is left.
      const preparedBy = isUserVerified ? preparationsBy(author) : [];
      return { factors: { webAuthNCheckedAt: now, isUserVerified, isOneFactor, preparedBy } };
    }
    default:
      return proof satisfies never;
  }
}

const judge = (kind: SignInCheck, check: FactorCheck, factors: Factors): Evaluated =>
  check.outcome === "correct" ? { factors } : { problem: refusals[check.outcome], steps: stepsOfCode(kind, check) };

const refusals: Record<Exclude<FactorCheck["outcome"], "correct">, Problem> = {
  wrong: { field: "code", id: "sign_in.wrong_code" },
  missing: { field: "code", id: "sign_in.code_missing" },
  blocked: { id: "sign_in.factor_blocked" },
  absent: { id: "sign_in.factor_absent" },
  unchallenged: { field: "code", id: "sign_in.code_too_old" },
};
