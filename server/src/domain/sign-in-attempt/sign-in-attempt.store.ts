import { deleteAll, type EndedRows, list, sql, type Tx, text } from "../../database/index.ts";
import type { SignInResult } from "./sign-in-attempt.ts";

export interface WrittenAttempt {
  readonly attemptId: string;
  readonly userId: string | undefined;
  readonly organizationId: string | undefined;
  readonly clientId: string | undefined;
  readonly sessionId: string | undefined;
  readonly result: SignInResult;
  readonly reference: string;
  readonly browser: string | undefined;
  readonly system: string | undefined;
  /** What a new attempt begins with, before its steps. */
  readonly opening: string;
  /** Lines to add. */
  readonly steps: string;
}

/** An attempt keeps no further steps from this length on, in characters. */
const longestSteps = 8000;

/**
 * Sends the steps of an attempt with the next statement of the unit of work, or with its commit. An attempt of another
 * user stays as it is.
 */
export function putSignInAttempt(tx: Tx, attempt: WrittenAttempt): void {
  const { attemptId, userId, organizationId, clientId, sessionId, result, reference, browser, system } = attempt;
  const steps = attempt.opening + attempt.steps;
  const hasFailed = result === "failed" ? 1 : 0;
  tx.write(sql`insert into sign_in_attempts (instance_id, attempt_id, user_id, organization_id, client_id, session_id, result,
      has_failed, reference, source, browser, system, steps, started_at, changed_at)
    values (${tx.instanceId}, ${attemptId}, ${userId}, ${organizationId}, ${clientId}, ${sessionId}, ${result},
      ${hasFailed}, ${reference}, ${tx.call.source}, ${browser}, ${system}, ${steps}, ${tx.now}, ${tx.now})
    on conflict (instance_id, attempt_id) do update set
      user_id = coalesce(sign_in_attempts.user_id, excluded.user_id),
      organization_id = case when excluded.user_id is null then sign_in_attempts.organization_id
        else excluded.organization_id end,
      client_id = coalesce(excluded.client_id, sign_in_attempts.client_id),
      session_id = coalesce(excluded.session_id, sign_in_attempts.session_id),
      has_failed = case when excluded.has_failed = 1 then 1 else sign_in_attempts.has_failed end,
      result = excluded.result, reference = excluded.reference, changed_at = excluded.changed_at,
      steps = case when length(sign_in_attempts.steps) < ${longestSteps} then sign_in_attempts.steps || ${attempt.steps}
        else sign_in_attempts.steps end
    where coalesce(sign_in_attempts.user_id, excluded.user_id, '') = coalesce(excluded.user_id, sign_in_attempts.user_id, '')`);
}

/**
 * Sends the reference of a failure, so that it is found after later steps too. It belongs to a step that was kept,
 * which bounds their number for each attempt.
 */
export function putReferenceOfFailure(
  tx: Tx,
  { attemptId, reference }: { readonly attemptId: string; readonly reference: string },
): void {
  const kept = `"reference":${JSON.stringify(reference)}`;
  tx.write(sql`insert into sign_in_references (instance_id, reference, attempt_id)
    select instance_id, ${reference}, attempt_id from sign_in_attempts
    where instance_id = ${tx.instanceId} and attempt_id = ${attemptId} and strpos(steps, ${kept}) > 0
    on conflict (instance_id, reference, attempt_id) do nothing`);
}

/** Deletes the attempts of users who are deleted. */
export async function deleteSignInAttemptsOfUsers(tx: Tx, userIds: readonly string[]): Promise<void> {
  const where = sql`instance_id = ${tx.instanceId} and user_id in ${list(userIds)}`;
  const theirs = sql`attempt_id in (select attempt_id from sign_in_attempts where ${where})`;
  await deleteAll(tx, { table: text("sign_in_references"), where: sql`instance_id = ${tx.instanceId} and ${theirs}` });
  await deleteAll(tx, { table: text("sign_in_attempts"), where });
}

/** Attempts that began before the instant. */
export const formerSignInAttempts = (before: number): EndedRows => ({
  table: text("sign_in_attempts"),
  where: () => sql`started_at < ${before}`,
  parts: { table: text("sign_in_references"), key: text("attempt_id") },
});
