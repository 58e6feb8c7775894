import type { IncomingMessage } from "node:http";
import type { Http2ServerRequest } from "node:http2";

/** The target of a request, from its request line and headers. */
export interface Target {
  readonly host: string;
  readonly path: string;
  readonly query: string;
}

/**
 * Returns the target of a request, or undefined when it is malformed. Only the origin form is accepted (RFC 9112
 * §3.2.1; the parser would accept `GET http://elsewhere/` as well), and exactly one host.
 */
export function readTarget(request: IncomingMessage | Http2ServerRequest): Target | undefined {
  const url = request.url ?? "";
  if (!url.startsWith("/")) return undefined;
  const host = readHost(request);
  if (host === undefined) return undefined;
  const question = url.indexOf("?");
  return question < 0
    ? { host, path: url, query: "" }
    : { host, path: url.slice(0, question), query: url.slice(question + 1) };
}

/** Whether the escapes of a path are valid UTF-8 (RFC 3986 §2.5). No route needs any others. */
export function isWellEncoded(path: string): boolean {
  try {
    decodeURIComponent(path);
    return true;
  } catch {
    return false;
  }
}

function readHost(request: IncomingMessage | Http2ServerRequest): string | undefined {
  const authority = "authority" in request ? request.authority : undefined;
  const host = authority !== undefined && authority !== "" ? authority : request.headers.host;
  // Node does not join Host lines, it keeps the first; a second one is a sign of request smuggling.
  if (host === undefined || countHostLines(request.rawHeaders) > 1) return undefined;
  // RFC 9113 §8.3.1: a host that differs from the authority is such a sign as well.
  if ((request.headers.host ?? host) !== host) return undefined;
  return /^[a-z0-9.\-_:[\]]{1,255}$/i.test(host) ? host.toLowerCase() : undefined;
}

function countHostLines(rawHeaders: readonly string[]): number {
  let count = 0;
  for (let index = 0; index < rawHeaders.length; index += 2) {
    const name = rawHeaders[index];
    if (name !== undefined && name.length === 4 && name.toLowerCase() === "host") count++;
  }
  return count;
}
