import { isRecord, JsonError, parseJson } from "../base/json.ts";
import { type Outbound, OutboundError } from "../base/outbound/index.ts";
import type { Call } from "../call/index.ts";
import type { CallableTarget } from "../domain/action/index.ts";
import { type SealDeps, sealPayload } from "./seal-payload.ts";
import { type Refusal, TargetFailure } from "./target-failure.ts";

export interface CallTargetDeps extends SealDeps {
  readonly outbound: Outbound;
}

type Answer = Readonly<Record<string, unknown>>;

/** How a call is waited for. */
interface Waiting {
  readonly signal?: AbortSignal;
  /** Counts the bytes that are kept while the call waits; throws when there are too many. */
  readonly keep?: (bytes: number) => void;
}

const maximumBytes = 1_048_576;
const longestMessage = 500;

/**
 * Calls a target and returns its answer: the JSON object of a `call`; undefined for an empty answer and for the other
 * kinds. Throws TargetFailure when there was no answer, it was not 2xx, it was not the expected JSON, or the target
 * refuses. For an `async` target only the delivery of the call counts.
 */
export async function callTarget(
  deps: CallTargetDeps,
  call: Call,
  target: CallableTarget,
  payload: object,
  waiting: Waiting = {},
): Promise<Answer | undefined> {
  const { status, body } = await send(deps, call, target, payload, waiting);
  if (target.kind === "async") return undefined;
  if (status < 200 || status > 299) throw new TargetFailure(`status_${status}`);
  // A webhook may answer anything that is not a refusal.
  const answer = target.kind === "call" ? readAnswer(body) : tryReadAnswer(body);
  const refusal = answer && readRefusal(answer);
  if (refusal !== undefined) throw new TargetFailure("refused", { refusal });
  return target.kind === "call" ? answer : undefined;
}

async function send(
  deps: CallTargetDeps,
  call: Call,
  target: CallableTarget,
  payload: object,
  { signal, keep }: Waiting,
) {
  const { endpoint: url, timeout } = target;
  const { body, headers } = await sealPayload(deps, call, target, payload);
  keep?.(body.length);
  try {
    return await deps.outbound({
      url,
      method: "POST",
      headers,
      body,
      timeout,
      maximumBytes,
      ...(signal && { signal }),
    });
  } catch (error) {
    if (!(error instanceof OutboundError)) throw error;
    const { shownFailure, failure, cause } = error;
    throw new TargetFailure(shownFailure, { cause, detail: failure });
  }
}

function readAnswer(body: string): Answer | undefined {
  if (body.trim() === "") return undefined;
  const answer = tryReadAnswer(body);
  if (answer === undefined) throw new TargetFailure("answer_not_json");
  return answer;
}

// The content type is ignored: many frameworks label everything as text.
function tryReadAnswer(body: string): Answer | undefined {
  try {
    const answer = parseJson(body);
    return isRecord(answer) ? answer : undefined;
  } catch (error) {
    if (error instanceof JsonError) return undefined;
    throw error;
  }
}

/**
 * Returns the refusal in an answer: only statuses from 400 to 499 are passed on, everything else is a failed
 * precondition.
 */
function readRefusal(answer: Answer): Refusal | undefined {
  const { forwardedStatusCode: status, forwardedErrorMessage: message } = answer;
  if (typeof status !== "number") return undefined;
  const isForwarded = Number.isInteger(status) && status >= 400 && status <= 499;
  if (!isForwarded) return { status: 412, message: "" };
  return { status, message: typeof message === "string" ? toSentence(message) : "" };
}

// Shown to people and written into gRPC headers: one line of limited length.
const toSentence = (message: string): string =>
  message
    .replace(/[\s\p{Cc}\p{Cf}\p{Co}\p{Cs}]+/gu, " ")
    .trim()
    .slice(0, longestMessage);
