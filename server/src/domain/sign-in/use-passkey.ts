import { type Call, preparationsBy } from "../../call/index.ts";
import { loginSettingsOf } from "../settings/index.ts";
import type { SignInStep } from "../sign-in-attempt/index.ts";
import { findUserScope, type UserScope } from "../user/index.ts";
import { checkKey, type UntrustedCredential } from "../webauthn-key/index.ts";
import type { BrowserVisit, SignInDeps } from "./browser-visit.ts";
import { proceed } from "./proceed.ts";
import { runAfterProof } from "./run-after-proof.ts";
import type { Problem, SignIn } from "./state.ts";
import { type StepOutcome, stay } from "./step-outcome.ts";
import { notActive, scriptRefused } from "./steps-of-checks.ts";

/** Signs in with a passkey. The passkey identifies its user, so no name is needed before. */
export async function usePasskey(
  deps: SignInDeps,
  call: Call,
  visit: BrowserVisit,
  {
    signIn,
    credential,
    namedUserId = signIn.userId,
  }: {
    readonly signIn: SignIn;
    readonly credential: UntrustedCredential;
    /** The user who was named before any passkey was accepted. */
    readonly namedUserId?: string | undefined;
  },
): Promise<StepOutcome> {
  const { attemptId } = signIn;
  const check =
    attemptId === undefined
      ? undefined
      : await checkKey(deps, call, { user: undefined, sessionId: attemptId, credential });
  if (check?.outcome !== "correct") {
    const unknownPasskey = check?.outcome === "refused" ? check.unknownId : undefined;
    const problem = { id: "sign_in.passkey_refused", ...(unknownPasskey !== undefined && { unknownPasskey }) };
    const failure = { user: undefined, steps: [{ check: "passkey", outcome: "wrong" }] } as const;
    return stay(deps, call, visit, { signIn, problem, failure });
  }
  const user = await findUserScope(deps.database.read, call.instanceId, check.user.userId);
  // A record takes no steps of another user, who would then have none.
  const isOfNamed = namedUserId === undefined || namedUserId === user?.userId;
  const recordId = isOfNamed ? attemptId : deps.newId();
  const obstacle = check.isSuspended ? suspended : await findObstacle(deps, call, visit, { signIn, user });
  if (user === undefined || obstacle !== undefined) {
    const { problem = { id: "sign_in.passkey_refused" }, step } = obstacle ?? {};
    if (user === undefined || step === undefined) return stay(deps, call, visit, { signIn, problem });
    const isApart = isOfNamed && step.outcome === "other_account";
    const failure = { user, steps: [passed, step], attemptId: isApart ? deps.newId() : recordId };
    return stay(deps, call, visit, { signIn, problem, failure });
  }
  const { userId, organizationId, preferredLoginName: loginName } = user;
  const preparedBy = preparationsBy(check.author);
  const { isUserVerified, isOneFactor, signInEpoch = user.signInEpoch } = check;
  const refusal = await runAfterProof(deps, call, visit, { userId, organizationId, loginName, method: "passwordless" });
  if (refusal !== undefined) {
    return stay(deps, call, visit, {
      signIn,
      problem: refusal,
      failure: { user, attemptId: recordId, steps: [passed, scriptRefused] },
    });
  }
  const factors = { webAuthNCheckedAt: call.now, isUserVerified, isOneFactor, preparedBy };
  const record = { attemptId: recordId, steps: [passed] };
  return proceed(deps, call, visit, { userId, organizationId, loginName, factors, signInEpoch, ...record });
}

interface Obstacle {
  readonly problem: Problem;
  readonly step: SignInStep;
}

const passed: SignInStep = { check: "passkey", outcome: "passed" };
const suspended = {
  problem: { id: "user.credential_suspended" },
  step: { check: "passkey", outcome: "refused" },
} as const satisfies Obstacle;
const otherAccount: SignInStep = { check: "passkey", outcome: "other_account" };

/** Returns why the user of a valid passkey may not continue; shown only to that user. */
async function findObstacle(
  deps: SignInDeps,
  call: Call,
  { authRequest }: BrowserVisit,
  { signIn, user }: { readonly signIn: SignIn; readonly user: UserScope | undefined },
): Promise<Obstacle | undefined> {
  if (user?.state !== "active" || user.organizationState !== "active") {
    return { problem: { id: "sign_in.not_possible" }, step: notActive };
  }
  const settings = await loginSettingsOf(deps, call, { organizationId: user.organizationId, userId: user.userId });
  if (!settings.allowPasskeys || !settings.allowLocalAuthentication) {
    const setting = settings.allowPasskeys ? "allow_local_authentication" : "allow_passkeys";
    const step = { check: "passkey", outcome: "not_allowed", setting } as const;
    return { problem: { id: "sign_in.passkeys_not_allowed" }, step };
  }
  // A user who typed a name means that account. An unknown name is as much another account as a known one.
  if (signIn.state === "identified" && signIn.userId !== user.userId) {
    return { problem: { id: "sign_in.passkey_of_other" }, step: otherAccount };
  }
  const { organizationId = user.organizationId, hintUserId = user.userId } = authRequest?.parameters ?? {};
  if (organizationId !== user.organizationId || hintUserId !== user.userId) {
    return { problem: { id: "sign_in.other_account_expected" }, step: otherAccount };
  }
  return undefined;
}
