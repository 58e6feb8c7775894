import type { Instant } from "../base/clock.ts";
import { Fault } from "../base/fault.ts";
import { type PresentedToken, readTokenHeader } from "../bearer/index.ts";

/** The credentials of a request. */
export interface Credentials {
  /** Value of the `Authorization` header. */
  readonly authorization: string | undefined;
  /** Value of the `DPoP` header, and the request that its proof must match. */
  readonly dpop: string | undefined;
  readonly method: string;
  readonly path: string;
  /** When a proof was spent, for a request that is admitted again. */
  readonly spentAt?: Instant | undefined;
  /** Value of the organization header (`x-service-orgid`, or its alias). */
  readonly organizationId: string | undefined;
}

/** Reads the token of a call from its header; no other location is accepted. */
export function readPresentedToken({ authorization, dpop, method, path, spentAt }: Credentials): PresentedToken {
  if (authorization === undefined) throw new Fault("unauthenticated", "authentication.required");
  const header = readTokenHeader(authorization);
  if (header === undefined) throw new Fault("unauthenticated", "authentication.malformed_header");
  const { scheme, token } = header;
  if (scheme === "bearer") return { token };
  if (dpop === undefined) throw new Fault("unauthenticated", "authentication.dpop_proof_invalid");
  return { token, proof: { proof: dpop, method, path, spentAt } };
}
