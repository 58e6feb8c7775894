import type { UniversalServerResponse } from "@connectrpc/connect/protocol";
import { isRecord } from "../base/json.ts";
import type { Call } from "../call/index.ts";
import { wrongType } from "./decode-error.ts";
import { type RefusalDeps, toRefusal } from "./refusal.ts";
import { rpcError } from "./rpc-error.ts";

/**
 * Replaces the library's refusal of an unreadable message by ours: with the detail of every refusal, and with the field
 * if known. Connect's library reports a message that is not protobuf as an internal error. gRPC's own responses have
 * trailers and stay unchanged.
 */
export async function rewordRefusal(
  deps: RefusalDeps,
  answer: UniversalServerResponse,
  { call, word }: { readonly call: Call; readonly word: string },
): Promise<UniversalServerResponse> {
  if (answer.status < 400 || answer.body === undefined) return answer;
  const chunks: Uint8Array[] = [];
  for await (const chunk of answer.body) chunks.push(chunk);
  const text = Buffer.concat(chunks).toString("utf8");
  const fault = isUnreadable(text) ? wrongType(messageOf(text)) : undefined;
  if (fault === undefined) return { ...answer, body: once(Buffer.from(text)) };
  const { status, headers, body = "" } = await rpcError(undefined, { ...toRefusal(deps, fault, call), word });
  return { status, header: new Headers(headers as Record<string, string>), body: once(Buffer.from(body)) };
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
