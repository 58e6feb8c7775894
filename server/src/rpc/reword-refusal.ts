import type { DescMessage } from "@bufbuild/protobuf";
import type { UniversalServerResponse } from "@connectrpc/connect/protocol";
import { Fault } from "../base/fault.ts";
import { isRecord, parseJson } from "../base/json.ts";
import type { Call } from "../call/index.ts";
import { wrongType } from "./decode-error.ts";
import { type RefusalDeps, toRefusal } from "./refusal.ts";
import { rpcError } from "./rpc-error.ts";
import { refuseUnknownInput } from "./unknown-input.ts";

interface Refused {
  readonly call: Call;
  /** The caller's word for our namespace. */
  readonly word: string;
  /** The body of the request. */
  readonly received: readonly Uint8Array[];
  /** The message that the body should have been; absent for reflection. */
  readonly input: DescMessage | undefined;
}

/**
 * Replaces the library's refusal of an unreadable message by ours: with the detail of every refusal, and with the field
 * if known. Connect's library reports a message that is not protobuf as an internal error. gRPC's own responses have
 * trailers and stay unchanged.
 */
export async function rewordRefusal(
  deps: RefusalDeps,
  answer: UniversalServerResponse,
  { call, word, received, input }: Refused,
): Promise<UniversalServerResponse> {
  if (answer.status < 400 || answer.body === undefined) return answer;
  const chunks: Uint8Array[] = [];
  for await (const chunk of answer.body) chunks.push(chunk);
  const text = Buffer.concat(chunks).toString("utf8");
  const fault = isUnreadable(text) ? (unknownInput(input, received) ?? wrongType(messageOf(text))) : undefined;
  if (fault === undefined) return { ...answer, body: once(Buffer.from(text)) };
  const { status, headers, body = "" } = await rpcError(undefined, { ...toRefusal(deps, fault, call), word });
  return { status, header: new Headers(headers as Record<string, string>), body: once(Buffer.from(body)) };
}

// Connect's unary JSON is the message itself. Other forms are left to the library's words.
function unknownInput(input: DescMessage | undefined, received: readonly Uint8Array[]): Fault | undefined {
  if (input === undefined) return undefined;
  try {
    refuseUnknownInput(input, parseJson(Buffer.concat(received).toString("utf8")));
    return undefined;
  } catch (error) {
    return error instanceof Fault ? error : undefined;
  }
}

// Too large, too late, or with an unknown compression: those have codes of their own.
function isUnreadable(text: string): boolean {
  const { code } = parse(text);
  return code === "invalid_argument" || (code === "internal" && messageOf(text).startsWith("parse binary"));
}

const messageOf = (text: string): string => String(parse(text)["message"] ?? "");

function parse(text: string): Record<string, unknown> {
  const json: unknown = JSON.parse(text);
  return isRecord(json) ? json : {};
}

async function* once(bytes: Uint8Array): AsyncIterable<Uint8Array> {
  yield bytes;
}
