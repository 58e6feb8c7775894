import { isRecord, parseJson } from "../../base/json.ts";
import { type Outbound, OutboundError, type OutboundRequest } from "../../base/outbound/index.ts";

const mostRequests = 10;
const mostBytes = 1_048_576;
const mostSent = 65_536;
const mostHeaders = 50;

const methods = ["GET", "POST", "PUT", "PATCH", "DELETE"] as const;

/** What a script cannot say for the connection (RFC 9110 §7.6.1), and what the client says itself. */
const reserved = new Set(
  "host connection user-agent accept-encoding content-length transfer-encoding te trailer upgrade expect proxy-authorization proxy-connection keep-alive".split(
    " ",
  ),
);

/**
 * Creates the answers to the requests of one run (`require("…/http").fetch`), within the limits of a run. With
 * `isForStranger` only public servers are reached: the operator's exceptions are for those who may change targets.
 */
export function createFetchAnswers(outbound: Outbound, { isForStranger }: { readonly isForStranger: boolean }) {
  let requests = 0;
  let received = 0;
  return async (argument: string, signal: AbortSignal, timeout: number): Promise<string> => {
    const request = readRequest(parseJson(argument));
    requests++;
    if (requests > mostRequests) throw new Error(`a script can send at most ${mostRequests} requests`);
    const left = mostBytes - received;
    if (left <= 0) throw new Error("the answers of other servers are too long");
    try {
      const { status, body, bytes } = await outbound({
        ...request,
        signal,
        timeout,
        maximumBytes: left,
        ...(isForStranger && { isForStranger }),
      });
      received += bytes.length;
      return JSON.stringify({ status, body });
    } catch (error) {
      if (!(error instanceof OutboundError)) throw error;
      throw new Error(`the request failed: ${error.shownFailure}`, { cause: error });
    }
  };
}

function readRequest(argument: unknown): Pick<OutboundRequest, "url" | "method" | "headers" | "body"> {
  if (!isRecord(argument) || typeof argument["url"] !== "string") throw new Error("the request has no address");
  const method = methods.find((known) => known === argument["method"]);
  if (method === undefined) throw new Error(`the method must be one of ${methods.join(", ")}`);
  const { body } = argument;
  const text = body === undefined || body === null ? undefined : typeof body === "string" ? body : JSON.stringify(body);
  if (text !== undefined && Buffer.byteLength(text) > mostSent) throw new Error("the body is too long");
  return {
    url: argument["url"],
    method,
    headers: readHeaders(argument["headers"]),
    ...(text !== undefined && { body: text }),
  };
}

function readHeaders(given: unknown): Record<string, string> {
  const headers: Record<string, string> = { "content-type": "application/json", accept: "application/json" };
  if (given === undefined || given === null) return headers;
  if (!isRecord(given) || Object.keys(given).length > mostHeaders) throw new Error("the headers are invalid");
  for (const [name, value] of Object.entries(given)) {
    const key = name.toLowerCase();
    const text = Array.isArray(value) ? value.map(String).join(", ") : String(value);
    const isValid = /^[a-z0-9!#$%&'*+.^_`|~-]{1,100}$/.test(key) && /^[\t\x20-\x7e]{0,4096}$/.test(text);
    if (!isValid || reserved.has(key)) throw new Error(`the header ${key.slice(0, 100)} is invalid`);
    headers[key] = text;
  }
  return headers;
}
