import type { Call } from "../../call/index.ts";
import { answerTest } from "../../domain/test-sign-in/index.ts";
import type { OAuthDeps } from "../deps.ts";
import type { Answerer, AnswerInput } from "./answer-input.ts";
import { prepareClaim } from "./claim-answer.ts";
import { describeAnswer } from "./describe-answer.ts";

/**
 * Answers a sign-in that tries an application: what was granted is kept for its administrator, and the response has no
 * parameters. There is no code, and the application is not among those of the session. Undefined when the request was
 * already answered.
 */
export async function grantTest(
  deps: OAuthDeps,
  call: Call,
  input: AnswerInput,
  answerer: Answerer,
): Promise<Readonly<Record<string, string>> | undefined> {
  const { client, parameters } = input;
  const { testId = "", responseType } = parameters;
  const claim = await prepareClaim(deps, call, input);
  const issuance = describeAnswer(input, answerer);
  const grant = { kind: "granted", clientId: client.clientId, responseType, issuance } as const;
  const isFirst = await deps.database.touch(
    call,
    async (tx) => (await claim(tx)) && (await answerTest(tx, testId, grant)),
  );
  return isFirst ? {} : undefined;
}
