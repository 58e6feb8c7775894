import type { FaultCode } from "../base/fault.ts";
import type { WebResponse } from "../web/index.ts";
import { namespaceWord } from "./namespace.ts";
import { statusOf } from "./status.ts";

export interface RpcError {
  readonly code: FaultCode;
  readonly id: string;
  readonly message: string;
  /** HTTP status for Connect; the usual one of the code when not given. gRPC is always 200. */
  readonly status?: number;
  /** The word for our namespace that the caller used; ours when not given. */
  readonly word?: string;
}

/** A refusal before there was a call, in the words of the protocol that the request's content type names. */
export async function rpcError(contentType: string | undefined, error: RpcError): Promise<WebResponse> {
  const { code, message, status, word = namespaceWord } = error;
  if (contentType?.startsWith("application/grpc") === true) {
    // Trailers only (gRPC over HTTP/2, "Responses"); the message is percent-encoded UTF-8.
    return {
      status: 200,
      headers: {
        "content-type": /^application\/grpc[a-z+-]*/.exec(contentType)?.[0] ?? "application/grpc",
        "grpc-status": String(statusOf[code].grpc),
        "grpc-message": encodeURIComponent(message),
      },
    };
  }
  const { errorDetail } = await import("./error-detail.ts");
  const { type, value, debug } = errorDetail(error, word);
  const details = [{ type, value: Buffer.from(value).toString("base64").replace(/=+$/, ""), debug }];
  return {
    status: status ?? statusOf[code].http,
    headers: { "content-type": "application/json", "cache-control": "no-store", "x-content-type-options": "nosniff" },
    body: JSON.stringify({ code, message, details }),
  };
}
