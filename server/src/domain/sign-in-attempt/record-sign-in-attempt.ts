import type { Budgets } from "../../base/budget/budgets.ts";
import { addressKey } from "../../base/names/address-key.ts";
import type { Call } from "../../call/index.ts";
import type { Tx } from "../../database/index.ts";
import { type DescribedAgent, describeDevice } from "./describe-device.ts";
import { putReferenceOfFailure, putSignInAttempt } from "./sign-in-attempt.store.ts";
import type { SignInResult, SignInStep } from "./sign-in-attempt.ts";

declare const taken: unique symbol;

/** That one more failure may be recorded: only `takeFailureRecord` gives it, so that no budget is passed by. */
export interface FailureAllowance {
  readonly [taken]: true;
}

/** What is recorded of an attempt at one moment. */
export interface AttemptRecord {
  readonly attemptId: string;
  /** The user whom the attempt is about; absent where the name is unknown, or none was entered. */
  readonly user?: { readonly userId: string; readonly organizationId: string } | undefined;
  /** Where no user is known, the organization whose application or provider it failed at, for its administrators. */
  readonly organizationId?: string | undefined;
  /** Whether a name was entered that no user has. */
  readonly isNameUnknown?: boolean;
  readonly clientId?: string | undefined;
  readonly sessionId?: string | undefined;
  readonly userAgent: DescribedAgent;
  /** What happened, in its order. */
  readonly steps: readonly SignInStep[];
  /** What the user is shown as a reference; the id of the request when absent. */
  readonly reference?: string | undefined;
}

type AttemptResult =
  | { readonly result: "failed"; readonly allowance: FailureAllowance }
  | { readonly result: Exclude<SignInResult, "failed"> };

/** Step: records what happened in an attempt, beside what it writes anyway. */
export function recordSignInAttempt(tx: Tx, attempt: AttemptRecord & AttemptResult): void {
  const {
    attemptId,
    user,
    isNameUnknown = false,
    clientId,
    sessionId,
    result,
    reference = tx.call.requestId,
  } = attempt;
  const { browser, system } = describeDevice(attempt.userAgent);
  const line = (step: SignInStep): string => `${JSON.stringify({ ...step, at: tx.now, reference })}\n`;
  const opening: SignInStep[] = isNameUnknown
    ? [{ check: "name", outcome: "unknown" }]
    : user === undefined
      ? []
      : [{ check: "name", outcome: "passed" }];
  putSignInAttempt(tx, {
    attemptId,
    userId: user?.userId,
    organizationId: user?.organizationId ?? attempt.organizationId,
    clientId,
    sessionId,
    result,
    reference,
    browser,
    system,
    opening: opening.map(line).join(""),
    steps: attempt.steps.map(line).join(""),
  });
  if (result === "failed") putReferenceOfFailure(tx, { attemptId, reference });
}

const allowance = {} as FailureAllowance;

/**
 * Takes one more failure from the budgets of records: of the source, of the name that was entered (or the id of a user
 * who is known without one), and of the instance. Undefined when there are too many: then none is recorded. Whether a
 * user has the name changes nothing, so that neither does the time that an answer takes.
 */
export function takeFailureRecord(
  { budgets }: { readonly budgets: Budgets },
  { instanceId, now, source = "", userSource = source }: Call,
  loginName: string,
): FailureAllowance | undefined {
  const of = { instanceId, now };
  const isTaken =
    budgets.take("sign_in_records_of_source", { ...of, source: userSource }) === 0 &&
    (loginName === "" || budgets.take("sign_in_records_of_name", { ...of, subject: addressKey(loginName) }) === 0) &&
    budgets.take("sign_in_records_of_instance", { ...of, subject: "" }) === 0;
  return isTaken ? allowance : undefined;
}
