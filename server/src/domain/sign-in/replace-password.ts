import { Fault } from "../../base/fault.ts";
import { asPerson, type Call } from "../../call/index.ts";
import { mayPrepareFor } from "../administrator-access/index.ts";
import { findBrowserAuthRequest } from "../auth-request/index.ts";
import { type PasswordDeps, setPassword } from "../password/index.ts";
import { terminateOtherSessions } from "../sign-out/index.ts";
import { findUserScope } from "../user/index.ts";
import { type BrowserVisit, keyOf, type SignInDeps } from "./browser-visit.ts";
import { enterPassword } from "./enter-password.ts";
import { proceed } from "./proceed.ts";
import { epochOf, type Problem, type SignIn } from "./state.ts";
import { type StepOutcome, stay } from "./step-outcome.ts";

export interface ReplacePassword {
  /** State of the attempt: the user's password was right and has to be replaced. */
  readonly signIn: SignIn;
  readonly current: string;
  readonly wanted: string;
  /** The new password a second time, where the form asks for it. */
  readonly repeated: string | undefined;
}

/**
 * Replaces a password that must be changed, and signs in with the new one. Asks for the current one again: the attempt
 * itself proves nothing.
 */
export async function replacePassword(
  deps: SignInDeps & PasswordDeps,
  call: Call,
  visit: BrowserVisit,
  { signIn, current, wanted, repeated }: ReplacePassword,
): Promise<StepOutcome> {
  if (repeated !== undefined && repeated !== wanted) {
    const problem = { field: "new_password_repeated", id: "sign_in.passwords_differ" };
    return stay(deps, call, visit, { signIn, problem });
  }
  const user = await findUserScope(deps.database.read, call.instanceId, signIn.userId ?? "");
  if (user === undefined) return stay(deps, call, visit, { signIn, problem: wrongCurrent });
  const { userId, organizationId } = user;
  // The current password is the proof, so any other party that knows it could have chosen the new one too.
  const own = asPerson(call, user, signIn.factors.preparedBy);
  // The replacement ends all that is under way; this attempt goes on in the epoch that it begins, and in no later one.
  const signInEpoch = epochOf(signIn) + 1;
  try {
    await setPassword({ ...deps, mayPrepareFor, terminateOtherSessions }, own, {
      userId,
      browserHash: visit.browserHash,
      password: { password: wanted, isChangeRequired: false },
      proof: { by: "current_password", password: current },
    });
  } catch (error) {
    if (!(error instanceof Fault)) throw error;
    // Sent twice: the first submission has replaced the password already, so the new password is the one to prove now.
    if (await isReplaced(deps, call, visit)) {
      return enterPassword(deps, call, visit, { signIn: { ...signIn, signInEpoch }, password: wanted });
    }
    return stay(deps, call, visit, { signIn, problem: toProblem(error) });
  }
  const factors = { ...signIn.factors, passwordCheckedAt: call.now };
  return proceed(deps, call, visit, {
    userId,
    organizationId,
    loginName: signIn.loginName,
    factors,
    signInEpoch,
    attemptId: signIn.attemptId,
    steps: [{ check: "password_change", outcome: "passed" }],
  });
}

async function isReplaced({ database }: SignInDeps, call: Call, visit: BrowserVisit): Promise<boolean> {
  const { browserHash, authRequestId } = keyOf(visit);
  if (authRequestId === undefined) return false;
  const key = { authRequestId, browserHash };
  return (await findBrowserAuthRequest(database.read, call.instanceId, key, call.now)) === undefined;
}

const wrongCurrent: Problem = { field: "current_password", id: "sign_in.wrong_current_password" };

/** Reports what is wrong with the new password; about the current one only that it was refused, whatever the reason. */
function toProblem(fault: Fault): Problem {
  const { id, field, values } = fault;
  if (id === "password.busy") return { id: "sign_in.busy" };
  if (id === "password.throttled") return { id, values };
  if (id === "sign_in.password_missing") return { field: "current_password", id };
  if (field === "currentPassword") return wrongCurrent;
  if (fault.code === "invalid_argument") return { field: "new_password", id, values };
  return wrongCurrent;
}
