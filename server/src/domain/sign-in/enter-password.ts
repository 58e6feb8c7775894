import { Fault } from "../../base/fault.ts";
import { type Call, preparationsBy } from "../../call/index.ts";
import { type CheckPassword, checkPassword, timeRefusal } from "../password/index.ts";
import { findSessionOfUserIn } from "../session/index.ts";
import { loginSettingsOf } from "../settings/index.ts";
import { findUserScope, type UserScope } from "../user/index.ts";
import { type BrowserVisit, type SignInDeps, writeSignIn } from "./browser-visit.ts";
import { proceed } from "./proceed.ts";
import { runAfterProof } from "./run-after-proof.ts";
import { type Problem, type SignIn, unnamed } from "./state.ts";
import { type StepOutcome, stay } from "./step-outcome.ts";
import {
  localNotAllowed,
  passedPassword as passed,
  scriptRefused,
  stepsOfPassword,
  throttled,
} from "./steps-of-checks.ts";

export interface EnterPassword {
  /** State of the attempt: a user was named. */
  readonly signIn: SignIn;
  readonly password: string;
}

/**
 * Checks the password of the named user. Wrong, unknown, blocked and not active get one answer, in the same time: only
 * the right password reveals anything about the account.
 */
export async function enterPassword(
  deps: SignInDeps,
  call: Call,
  visit: BrowserVisit,
  { signIn, password }: EnterPassword,
): Promise<StepOutcome> {
  const untilRefusal = timeRefusal(deps, call);
  const { user, named } = await findCandidate(deps, call, signIn.userId);
  const known = { browserHash: visit.browserHash, userId: signIn.userId ?? "" };
  const knownBy = await findSessionOfUserIn(deps.database.read, call.instanceId, known);
  const { loginName: typed } = signIn;
  const payingOrganizationId = visit.authRequest?.parameters.organizationId ?? visit.applicationOrganizationId ?? "";
  const guess = { userId: user?.userId, password, loginName: typed, knownBy, payingOrganizationId, field: "password" };
  const check = await checkOrExplain(deps, call, guess);
  if ("problem" in check) {
    const { problem } = check;
    if (problem.field !== undefined) return stay(deps, call, visit, { signIn, problem });
    await untilRefusal();
    return stay(deps, call, visit, { signIn, problem, failure: { user: named, steps: [throttled] } });
  }
  if (check.outcome === "suspended") {
    const failure = { user: named, steps: stepsOfPassword(check) };
    return stay(deps, call, visit, { signIn, problem: suspended, failure });
  }
  if (check.outcome !== "correct" && check.outcome !== "wrong") await takeAsLong(deps, call, visit, signIn);
  if (user?.state !== "active" || check.outcome !== "correct") {
    await untilRefusal();
    const steps = named !== undefined && user === undefined ? [localNotAllowed] : stepsOfPassword(check);
    return stay(deps, call, visit, { signIn, problem: wrong, failure: { user: named, steps } });
  }
  const hinted = visit.authRequest?.parameters.hintUserId;
  if (hinted !== undefined && hinted !== user.userId) {
    const { loginName, attemptId } = signIn;
    const failure = { user, attemptId, steps: [passed, { check: "name", outcome: "other_account" }] } as const;
    return stay(deps, call, visit, { signIn: { ...unnamed, loginName }, problem: otherExpected, failure });
  }
  const { userId, organizationId } = user;
  const preparedBy = preparationsBy(check.author);
  const factors = { ...signIn.factors, passwordCheckedAt: call.now, preparedBy };
  const { signInEpoch = check.signInEpoch } = signIn;
  const { loginName, attemptId } = signIn;
  const problem = await runAfterProof(deps, call, visit, { userId, organizationId, loginName, method: "password" });
  if (problem !== undefined) {
    return stay(deps, call, visit, { signIn, problem, failure: { user, steps: [passed, scriptRefused] } });
  }
  const steps = [passed];
  return proceed(deps, call, visit, { userId, organizationId, loginName, factors, signInEpoch, attemptId, steps });
}

/** The one answer to everything that is not the right password. */
const wrong: Problem = { field: "password", id: "sign_in.wrong_credentials" };
const suspended: Problem = { field: "password", id: "user.credential_suspended" };
const otherExpected: Problem = { field: "login_name", id: "sign_in.other_account_expected" };

// A user who may not sign in with a password is treated as unknown; the check then costs the same.
async function findCandidate(
  deps: SignInDeps,
  call: Call,
  userId: string | undefined,
): Promise<{ readonly named: UserScope | undefined; readonly user: UserScope | undefined }> {
  const named = userId === undefined ? undefined : await findUserScope(deps.database.read, call.instanceId, userId);
  const settings = await loginSettingsOf(deps, call, { organizationId: named?.organizationId, userId: named?.userId });
  return { named, user: settings.allowLocalAuthentication ? named : undefined };
}

/**
 * An evaluated guess is written before and after the evaluation. Any other guess writes as often, so that timing
 * reveals nothing.
 */
async function takeAsLong(deps: SignInDeps, call: Call, visit: BrowserVisit, signIn: SignIn): Promise<void> {
  await writeSignIn(deps, call, visit, signIn);
  await writeSignIn(deps, call, visit, signIn);
}

async function checkOrExplain(deps: SignInDeps, call: Call, input: CheckPassword) {
  try {
    return await checkPassword(deps, call, input);
  } catch (error) {
    if (!(error instanceof Fault)) throw error;
    const { id, field, values } = error;
    if (id === "password.busy") return { problem: { id: "sign_in.busy" } };
    if (id === "password.throttled") return { problem: { id, values } };
    if (id === "sign_in.password_missing" && field !== undefined) return { problem: { id, field } };
    throw error;
  }
}
