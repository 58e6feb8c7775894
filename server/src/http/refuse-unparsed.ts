import type { Duplex } from "node:stream";

/** Why a request never became one: a status, and what its JSON says. The log of texts is not reached from here. */
interface Refusal {
  readonly status: number;
  readonly reason: string;
  readonly code: number;
  readonly id: string;
  readonly message: string;
}

const headersTooLarge: Refusal = {
  status: 431,
  reason: "Request Header Fields Too Large",
  code: 3,
  id: "request.headers_too_large",
  message: "The header fields of the request are too large.",
};

const refusals: Readonly<Record<string, Refusal>> = {
  HPE_HEADER_OVERFLOW: headersTooLarge,
  HPE_CHUNK_EXTENSIONS_OVERFLOW: {
    status: 413,
    reason: "Payload Too Large",
    code: 3,
    id: "request.too_large",
    message: "The extensions of the chunks are too large.",
  },
  ERR_HTTP_REQUEST_TIMEOUT: {
    status: 408,
    reason: "Request Timeout",
    code: 4,
    id: "request.timeout",
    message: "The request did not arrive in time.",
  },
};

const malformed: Refusal = {
  status: 400,
  reason: "Bad Request",
  code: 3,
  id: "request.malformed",
  message: "The request is not valid HTTP.",
};

const bodyOf = ({ code, id, message }: Refusal): string =>
  JSON.stringify({
    code,
    message,
    details: [{ "@type": "type.googleapis.com/service.v1.ErrorDetail", id, message }],
  });

/** The body and its type for header fields that are too large, which are refused before any route is found. */
export const headersTooLargeBody = { type: "application/json", text: bodyOf(headersTooLarge) } as const;

/**
 * Answers what could not be parsed as HTTP/1.1 with JSON, as other failures, and closes the connection: Node's own
 * answer has no body, which clients of an API cannot read.
 */
export function refuseUnparsed(error: Error, socket: Duplex): void {
  const code = "code" in error ? String(error.code) : "";
  const current = "_httpMessage" in socket ? (socket._httpMessage as { readonly headersSent?: boolean } | null) : null;
  if (code === "ECONNRESET" || !socket.writable || current?.headersSent === true) return void socket.destroy();
  const refusal = refusals[code] ?? malformed;
  const body = bodyOf(refusal);
  socket.end(
    `HTTP/1.1 ${refusal.status} ${refusal.reason}\r\nConnection: close\r\nContent-Type: application/json\r\n` +
      `Cache-Control: no-store\r\nContent-Length: ${Buffer.byteLength(body)}\r\n\r\n${body}`,
    () => void socket.destroy(),
  );
}
