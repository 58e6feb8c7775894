import type { Call } from "../../call/index.ts";
import type { Browser } from "../../web/index.ts";
import { recordSignInAttempt, type SignInStep, takeFailureRecord } from "../sign-in-attempt/index.ts";
import { type BrowserVisit, endOf, keyOf, type SignInDeps } from "./browser-visit.ts";
import { putSignIn } from "./sign-in.store.ts";
import type { Problem, SignIn } from "./state.ts";

/**
 * The outcome of an input. `browser` is the browser with its new secret, to be sent to it; undefined when it keeps its
 * secret.
 */
export type StepOutcome =
  | {
      readonly outcome: "signed_in";
      readonly organizationId: string;
      readonly sessionId: string;
      readonly browser: Browser | undefined;
    }
  | { readonly outcome: "next"; readonly browser: Browser | undefined }
  /** The request no longer belongs to this browser. */
  | { readonly outcome: "gone" };

/** What administrators are told of a failure. */
export interface Failure {
  /** The user whom it concerns; undefined where none is known. */
  readonly user: { readonly userId: string; readonly organizationId: string } | undefined;
  readonly steps: readonly SignInStep[];
  /** The record that it belongs to, where that is not the one of the attempt as it is stored from now on. */
  readonly attemptId?: string | undefined;
}

/** Keeps the attempt in its state and reports the problem; to administrators, where it says what happened. */
export async function stay(
  deps: Pick<SignInDeps, "database" | "budgets" | "newId">,
  call: Call,
  visit: BrowserVisit,
  { signIn, problem, failure }: { readonly signIn: SignIn; readonly problem: Problem; readonly failure?: Failure },
): Promise<StepOutcome> {
  await writeFailure(deps, call, visit, { signIn: { ...signIn, problem }, failure });
  return { outcome: "next", browser: undefined };
}

/** Stores the state of a browser's attempt, and what failed in it. */
export async function writeFailure(
  deps: Pick<SignInDeps, "database" | "budgets" | "newId">,
  call: Call,
  visit: BrowserVisit,
  { signIn, failure }: { readonly signIn: SignIn; readonly failure: Failure | undefined },
): Promise<void> {
  const { loginName, userId } = signIn;
  const allowance = failure && takeFailureRecord(deps, call, loginName);
  const { attemptId = signIn.attemptId ?? deps.newId() } = failure ?? {};
  await deps.database.touch(call, async (tx) => {
    await putSignIn(tx, keyOf(visit), signIn, endOf(visit, call));
    if (failure === undefined || allowance === undefined) return;
    const { user, steps } = failure;
    recordSignInAttempt(tx, {
      attemptId,
      user,
      isNameUnknown: user === undefined && userId === undefined && loginName !== "",
      clientId: visit.authRequest?.clientId,
      userAgent: visit.userAgent,
      result: "failed",
      allowance,
      steps,
    });
  });
}
