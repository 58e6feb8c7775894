import { Fault } from "../base/fault.ts";

/** The credentials of a request. */
export interface Credentials {
  /** Value of the `Authorization` header. */
  readonly authorization: string | undefined;
  /** Value of the `DPoP` header, and the request that its proof must match. */
  readonly dpop: string | undefined;
  readonly method: string;
  readonly path: string;
  /** Value of the organization header (`x-service-orgid`, or its alias). */
  readonly organizationId: string | undefined;
}

/** A proof of possession, and the request that it must match. */
export interface ProofOfKey {
  readonly proof: string;
  readonly method: string;
  readonly path: string;
}

/** The token of a call. With `proof` it was sent as a bound token (RFC 9449 §7.1). */
export interface PresentedToken {
  readonly token: string;
  readonly proof?: ProofOfKey;
}

/**
 * Reads a token by RFC 6750 §2.1: the scheme is case-insensitive (RFC 9110 §11.1), followed by exactly one space; no
 * other location is accepted.
 */
export function readPresentedToken({ authorization, dpop, method, path }: Credentials): PresentedToken {
  if (authorization === undefined) throw new Fault("unauthenticated", "authentication.required");
  const [, scheme, token] = /^(bearer|dpop) ([A-Za-z0-9\-._~+/]+=*)$/i.exec(authorization) ?? [];
  if (token === undefined) throw new Fault("unauthenticated", "authentication.malformed_header");
  if (scheme?.toLowerCase() === "bearer") return { token };
  if (dpop === undefined) throw new Fault("unauthenticated", "authentication.dpop_proof_invalid");
  return { token, proof: { proof: dpop, method, path } };
}
