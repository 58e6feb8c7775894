import { type EndedRows, type Reader, sql, type Tx, text } from "../../database/index.ts";
import type { TestAnswer, TestSignIn } from "./test-sign-in.ts";

export async function insertTestSignIn(tx: Tx, test: TestSignIn & { readonly expiresAt: number }): Promise<void> {
  await tx.run(sql`insert into test_sign_ins (instance_id, test_id, application_id, client_id, user_id, session_id, parameters,
      answer, created_at, expires_at)
    values (${tx.instanceId}, ${test.testId}, ${test.applicationId}, ${test.clientId}, ${test.userId}, ${test.sessionId},
      ${JSON.stringify([...test.parameters])}, null, ${tx.now}, ${test.expiresAt})`);
}

/** Finds a request of the client that was prepared and is not answered yet. */
export async function findWaitingTest(
  reader: Reader,
  instanceId: string,
  key: { readonly testId: string; readonly clientId: string; readonly now: number },
): Promise<Pick<TestSignIn, "sessionId" | "parameters"> | undefined> {
  const row = await reader.maybe<{
    sessionId: string;
    parameters: string;
  }>(sql`select session_id as "sessionId", parameters from test_sign_ins
    where instance_id = ${instanceId} and test_id = ${key.testId} and client_id = ${key.clientId} and answer is null
      and expires_at > ${key.now}`);
  return row && { sessionId: row.sessionId, parameters: new Map(JSON.parse(row.parameters) as [string, string][]) };
}

/** Step: answers a test; false when it was answered before, or has expired. The statement decides who answers. */
export async function answerTest(tx: Tx, testId: string, answer: TestAnswer): Promise<boolean> {
  const count = await tx.run(sql`update test_sign_ins set answer = ${JSON.stringify(answer)}
    where instance_id = ${tx.instanceId} and test_id = ${testId} and answer is null and expires_at > ${tx.now}`);
  return count > 0;
}

/** A test as those who may take its answer name it. */
export interface TestOfSession {
  readonly testId: string;
  readonly applicationId: string;
  readonly userId: string;
  readonly sessionId: string;
}

/** Deletes an answered test and returns its answer: the statement decides who gets it. */
export async function consumeTestAnswer(tx: Tx, test: TestOfSession): Promise<TestAnswer | undefined> {
  const row = await tx.maybe<{ answer: string }>(sql`delete from test_sign_ins
    where instance_id = ${tx.instanceId} and test_id = ${test.testId} and application_id = ${test.applicationId}
      and user_id = ${test.userId} and session_id = ${test.sessionId} and answer is not null and expires_at > ${tx.now}
    returning answer`);
  return row && (JSON.parse(row.answer) as TestAnswer);
}

/** Whether the test waits for its answer. */
export async function isTestWaiting(tx: Tx, test: TestOfSession): Promise<boolean> {
  const row = await tx.maybe<{ found: number }>(sql`select 1 as "found" from test_sign_ins
    where instance_id = ${tx.instanceId} and test_id = ${test.testId} and application_id = ${test.applicationId}
      and user_id = ${test.userId} and session_id = ${test.sessionId} and answer is null and expires_at > ${tx.now}`);
  return row !== undefined;
}

/** Tests that expired before the instant. */
export const expiredTestSignIns = (before: number): EndedRows => ({
  table: text("test_sign_ins"),
  where: () => sql`expires_at < ${before}`,
});
