import type { WebRoute } from "../../../src/web/index.ts";
import type { RawAnswer } from "./raw-http.ts";

/** The protocol in which a refusal has to be worded. */
export type Protocol = WebRoute["protocol"] | "connect";

// What no answer may contain: stack traces, our files, statements and errors of the engines.
const inside =
  /\n\s+at |node_modules|file:\/\/|\.ts:\d|\bselect .+ from |\binsert into |\bupdate \w+ set |SQLITE|sqlite3?_|constraint failed|syntax error at|ERR_[A-Z]{3}|TypeError|RangeError|\[object |\bundefined\b/i;

/** Returns what is wrong with the answer to an invalid request; empty when it is right. */
export function faultsOf(protocol: Protocol, answer: RawAnswer | undefined): string[] {
  // A connection that is not worth keeping may be cut.
  if (answer === undefined) return [];
  const { status, body } = answer;
  const faults: string[] = [];
  if (status >= 500 && status !== 501) faults.push(`status ${status}`);
  if (inside.test(body)) faults.push(`shows the inside: ${body.slice(0, 300)}`);
  if (status >= 400 && body !== "") faults.push(...wordingFaults(protocol, answer));
  return faults;
}

function wordingFaults(protocol: Protocol, { headers, body, status }: RawAnswer): string[] {
  const type = headers.get("content-type") ?? "";
  if (protocol === "page") {
    const reference = headers.get("x-request-id") ?? "no reference";
    return type.startsWith("text/html") && body.includes(reference) ? [] : [`not a page with a reference: ${type}`];
  }
  if (protocol === "plain") return type.startsWith("text/plain") ? [] : [`not plain text: ${type}`];
  if (!type.startsWith("application/json")) return [`not JSON: ${status} ${type} ${body.slice(0, 100)}`];
  const json = parse(body);
  const isWorded = { oauth: isOAuthError, registration: isOAuthError, rest: isRestError, connect: isConnectError }[
    protocol
  ](json);
  return isWorded ? [] : [`not an error of ${protocol}: ${body.slice(0, 200)}`];
}

type Json = Readonly<Record<string, unknown>> | undefined;

function parse(text: string): Json {
  try {
    return JSON.parse(text) as Json;
  } catch {
    return undefined;
  }
}

const isOAuthError = (json: Json): boolean =>
  typeof json?.["error"] === "string" && typeof json["error_description"] === "string";

function isRestError(json: Json): boolean {
  const [detail] = (json?.["details"] as Json[] | undefined) ?? [];
  return (
    typeof json?.["code"] === "number" &&
    typeof json["message"] === "string" &&
    json["message"] !== "" &&
    typeof detail?.["@type"] === "string" &&
    typeof detail["id"] === "string"
  );
}

const isConnectError = (json: Json): boolean => typeof json?.["code"] === "string" && /^[a-z_]+$/.test(json["code"]);
