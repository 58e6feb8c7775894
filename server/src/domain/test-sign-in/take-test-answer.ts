import { Fault } from "../../base/fault.ts";
import { type Call, requireCaller } from "../../call/index.ts";
import type { Database } from "../../database/index.ts";
import { authorizeApplication } from "../application/index.ts";
import { consumeTestAnswer, isTestWaiting } from "./test-sign-in.store.ts";
import type { TestAnswer } from "./test-sign-in.ts";

/**
 * Takes the answer of a test, once, for the session that prepared it, while its user may change the application;
 * undefined while the test waits. For everyone else the test does not exist.
 */
export async function takeTestAnswer(
  deps: { readonly database: Database },
  call: Call,
  { testId, applicationId }: { readonly testId: string; readonly applicationId: string },
): Promise<TestAnswer | undefined> {
  const { userId, sessionId = "" } = requireCaller(call);
  return deps.database.touch(call, async (tx) => {
    await authorizeApplication(tx, { applicationId });
    const test = { testId, applicationId, userId, sessionId };
    const answer = await consumeTestAnswer(tx, test);
    if (answer === undefined && !(await isTestWaiting(tx, test))) {
      throw new Fault("not_found", "auth_request.not_found", { field: "id" });
    }
    return answer;
  });
}
