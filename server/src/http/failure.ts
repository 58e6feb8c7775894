import type { FaultCode } from "../base/fault.ts";
import { statusOf, toFault } from "../rpc/index.ts";
import type { WebResponse, WebRoute } from "../web/index.ts";
import { RequestRefused } from "./request-refused.ts";

/** The format of a failure: that of the route, or of calls (Connect, gRPC, gRPC-Web by the request's content type). */
export type FailureProtocol = WebRoute["protocol"] | "rpc";

/** The failure of a request that no handler answered. */
export interface Failure {
  readonly status: number;
  readonly code: FaultCode;
  /** Names the cause; its sentence is the text `fault.<slug>`. */
  readonly slug: string;
  readonly protocol: FailureProtocol;
  readonly requestId: string;
  /** Requested path; empty for a target without a path. */
  readonly path: string;
  readonly acceptLanguage: string | undefined;
  readonly contentType: string | undefined;
  readonly values: Readonly<Record<string, string | number>>;
  readonly headers?: Readonly<Record<string, string>>;
  /** The underlying error, when it was unexpected: for the log only. */
  readonly cause?: unknown;
}

/** Formats a failure for the clients of a protocol. */
export type FailureWriter = (failure: Failure) => Promise<WebResponse>;

/**
 * Converts an error that left a handler: a refusal before it, an expected failure that it did not handle, or an
 * unexpected one.
 */
export function failureOf(error: unknown): Pick<Failure, "status" | "code" | "slug" | "values" | "headers" | "cause"> {
  if (error instanceof RequestRefused) {
    const { status, code, slug, values, headers } = error;
    return { status, code, slug, values, headers };
  }
  const { code, id, field, values } = toFault(error);
  const status = statusOf[code].http;
  if (code === "internal") return { status, code, slug: id, values: {}, cause: error };
  const { seconds } = values;
  const headers = code === "resource_exhausted" && seconds !== undefined ? { "retry-after": String(seconds) } : {};
  return { status, code, slug: id, values: field === undefined ? values : { field, ...values }, headers };
}
