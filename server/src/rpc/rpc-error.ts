import type { FaultCode } from "../base/fault.ts";
import type { WebResponse } from "../web/index.ts";
import { namespaceWord } from "./namespace.ts";
import { statusOf } from "./status.ts";

export interface RpcError {
  readonly code: FaultCode;
  readonly id: string;
  readonly message: string;
  /** HTTP status for Connect; derived from the code by default. gRPC is always 200. */
  readonly status?: number;
  /** The caller's word for our namespace; ours by default. */
  readonly word?: string;
}

/** Returns a refusal before a call exists, in the protocol of the request's content type. */
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
