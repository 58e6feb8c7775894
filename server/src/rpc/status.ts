import type { FaultCode } from "../base/fault.ts";

/** Numeric gRPC code and HTTP status of every fault code. The compiler requires that the table is complete. */
export const statusOf = {
  invalid_argument: { grpc: 3, http: 400 },
  deadline_exceeded: { grpc: 4, http: 504 },
  not_found: { grpc: 5, http: 404 },
  already_exists: { grpc: 6, http: 409 },
  permission_denied: { grpc: 7, http: 403 },
  resource_exhausted: { grpc: 8, http: 429 },
  failed_precondition: { grpc: 9, http: 400 },
  aborted: { grpc: 10, http: 409 },
  unimplemented: { grpc: 12, http: 501 },
  internal: { grpc: 13, http: 500 },
  unavailable: { grpc: 14, http: 503 },
  unauthenticated: { grpc: 16, http: 401 },
} as const satisfies Record<FaultCode, { grpc: number; http: number }>;
