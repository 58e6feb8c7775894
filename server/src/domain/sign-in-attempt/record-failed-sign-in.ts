import type { Budgets } from "../../base/budget/budgets.ts";
import type { IdGenerator } from "../../base/id.ts";
import type { Call } from "../../call/index.ts";
import type { Database } from "../../database/index.ts";
import { type AttemptRecord, mayRecordFailure, recordSignInAttempt } from "./record-sign-in-attempt.ts";

export interface RecordDeps {
  readonly database: Database;
  readonly budgets: Budgets;
  readonly newId: IdGenerator;
}

/**
 * Records a failure that nothing else is written for, within the budgets of failures. `loginName`: as it was entered,
 * only to count by. Without an id of the attempt, it is a record by itself.
 */
export async function recordFailedSignIn(
  deps: RecordDeps,
  call: Call,
  {
    loginName = "",
    attemptId = deps.newId(),
    ...failed
  }: Omit<AttemptRecord, "attemptId" | "result"> & {
    readonly attemptId?: string | undefined;
    readonly loginName?: string;
  },
): Promise<void> {
  if (!mayRecordFailure(deps, call, loginName)) return;
  await deps.database.touch(call, (tx) => {
    recordSignInAttempt(tx, { ...failed, attemptId, result: "failed" });
    return Promise.resolve();
  });
}
