import type { Budgets } from "../../base/budget/budgets.ts";
import type { IdGenerator } from "../../base/id.ts";
import type { Call } from "../../call/index.ts";
import type { Database } from "../../database/index.ts";
import { type AttemptRecord, recordSignInAttempt, takeFailureRecord } from "./record-sign-in-attempt.ts";

export interface RecordDeps {
  readonly database: Database;
  readonly budgets: Budgets;
  readonly newId: IdGenerator;
}

/**
 * Records a failure that nothing else is written for, within the budgets of failures. Without an id of the attempt, it
 * is a record by itself.
 */
export async function recordFailedSignIn(
  deps: RecordDeps,
  call: Call,
  {
    attemptId = deps.newId(),
    ...failed
  }: Omit<AttemptRecord, "attemptId"> & { readonly attemptId?: string | undefined },
): Promise<void> {
  const allowance = takeFailureRecord(deps, call, failed.user?.userId ?? "");
  if (allowance === undefined) return;
  await deps.database.touch(call, (tx) => {
    recordSignInAttempt(tx, { ...failed, attemptId, result: "failed", allowance });
    return Promise.resolve();
  });
}
