import type { Instant } from "../base/clock.ts";

/** A proof of possession, and the request that it must match. */
interface ProofOfKey {
  /** Value of the `DPoP` header. */
  readonly proof: string;
  readonly method: string;
  /** Path of the request, without query. */
  readonly path: string;
  /** When the proof was checked and spent, for a request that is admitted again. */
  readonly spentAt?: Instant | undefined;
}

/** The token of a request. With `proof` it was sent as a bound token (RFC 9449 §7.1). */
export interface PresentedToken {
  readonly token: string;
  readonly proof?: ProofOfKey | undefined;
}

/** What an `Authorization` header holds, when it is one of a token. */
export interface TokenHeader {
  readonly scheme: "bearer" | "dpop";
  readonly token: string;
}

/**
 * Reads a token by RFC 6750 §2.1 or RFC 9449 §7.1: the scheme is case-insensitive (RFC 9110 §11.1), followed by exactly
 * one space. Undefined for any other header.
 */
export function readTokenHeader(authorization: string): TokenHeader | undefined {
  const [, scheme, token] = /^(bearer|dpop) ([A-Za-z0-9\-._~+/]+=*)$/i.exec(authorization) ?? [];
  if (scheme === undefined || token === undefined) return undefined;
  return { scheme: scheme.length === "dpop".length ? "dpop" : "bearer", token };
}
