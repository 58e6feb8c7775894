import type { ServerResponse } from "node:http";
import type { Http2ServerResponse } from "node:http2";
import type { WebResponse } from "../web/index.ts";

export type NodeResponse = ServerResponse | Http2ServerResponse;

/** Headers that the port adds to those of the response. */
export type AddedHeaders = Readonly<Record<string, string>>;

/**
 * Writes a response, head and body in one piece. Does nothing when a response was already sent, or the client is gone.
 */
export function writeResponse(response: NodeResponse, answered: WebResponse, added: AddedHeaders): void {
  if (response.headersSent || response.destroyed) return;
  const { status, body = "" } = answered;
  const isEmpty = body.length === 0 || response.req.method === "HEAD";
  const length = typeof body === "string" ? Buffer.byteLength(body) : body.length;
  const lines: (string | readonly string[])[] = [];
  for (const headers of [answered.headers, added]) {
    for (const name in headers) lines.push(name, headers[name] as string);
  }
  if (status !== 204 && status !== 304) lines.push("content-length", String(length));
  if ("createPushResponse" in response) writeHttp2Head(response, status, lines);
  else response.writeHead(status, lines as string[]);
  // A text is sent together with the head; bytes would be a second packet.
  (response as ServerResponse).end(isEmpty ? undefined : body);
}

function writeHttp2Head(
  response: Http2ServerResponse,
  status: number,
  lines: readonly (string | readonly string[])[],
): void {
  for (let index = 0; index < lines.length; index += 2) {
    const name = lines[index] as string;
    // RFC 9113 §8.2.2: connection-specific fields do not exist in HTTP/2.
    if (name !== "connection") response.setHeader(name, lines[index + 1] as string);
  }
  response.statusCode = status;
}
