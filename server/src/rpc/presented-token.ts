import { Fault } from "../base/fault.ts";

/** What came with a request besides its message. */
export interface Credentials {
  /** Value of the `Authorization` header. */
  readonly authorization: string | undefined;
  /** Value of the `DPoP` header, and the request that the proof in it must be for. */
  readonly dpop: string | undefined;
  readonly method: string;
  readonly path: string;
  /** Value of the organization header (`x-service-orgid`, or its alias). */
  readonly organizationId: string | undefined;
}

/** A proof of possession, and the request that it must be for. */
export interface ProofOfKey {
  readonly proof: string;
  readonly method: string;
  readonly path: string;
}

/** The token of a call. With `proof` it was sent as one that is bound to a key (RFC 9449 §7.1). */
export interface PresentedToken {
  readonly token: string;
  readonly proof?: ProofOfKey;
}

/** Reads RFC 6750 §2.1: the scheme is case-insensitive (RFC 9110 §11.1), exactly one space, no other way to send a token. */
export function readPresentedToken({ authorization, dpop, method, path }: Credentials): PresentedToken {
  if (authorization === undefined) throw new Fault("unauthenticated", "authentication.required");
  const [, scheme, token] = /^(bearer|dpop) ([A-Za-z0-9\-._~+/]+=*)$/i.exec(authorization) ?? [];
  if (token === undefined) throw new Fault("unauthenticated", "authentication.malformed_header");
  if (scheme?.toLowerCase() === "bearer") return { token };
  if (dpop === undefined) throw new Fault("unauthenticated", "authentication.dpop_proof_invalid");
  return { token, proof: { proof: dpop, method, path } };
}
