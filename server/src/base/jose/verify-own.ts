import { type KeyObject, type VerifyKeyObjectInput, verify } from "node:crypto";
import type { Instant } from "../clock.ts";
import { algorithmParameters, type SigningAlgorithm, toCryptoInput } from "./algorithm.ts";
import { type CompactJws, parseCompactJws } from "./compact.ts";
import { JwtRefused } from "./refusal.ts";
import type { JwtType } from "./sign.ts";

/** A public key of ours, with the only algorithm that it verifies. */
export interface VerificationKey {
  readonly keyId: string;
  readonly algorithm: SigningAlgorithm;
  readonly input: VerifyKeyObjectInput;
}

export function createVerificationKey(
  keyId: string,
  algorithm: SigningAlgorithm,
  publicKey: KeyObject,
): VerificationKey {
  return { keyId, algorithm, input: toCryptoInput(algorithm, publicKey) };
}

/** Claims of a token that we signed. */
export interface OwnClaims extends Readonly<Record<string, unknown>> {
  readonly iss: string;
  readonly exp: number;
}

export interface OwnJwtRules {
  /** Our published keys by id. */
  readonly keys: ReadonlyMap<string, VerificationKey>;
  /** The only accepted type, so that no token can be used in place of another (RFC 8725 §3.12). */
  readonly type: JwtType;
  readonly issuer: string;
  /**
   * The time at which the token must be valid; `"expired is fine"` for hints (OpenID Connect RP-Initiated Logout §2).
   */
  readonly aliveAt: Instant | "expired is fine";
}

/**
 * Verifies that we signed the token, and returns its claims. Does not check revocation, which only storage knows.
 * Throws JwtRefused.
 */
export function verifyOwnJwt(token: string, rules: OwnJwtRules): OwnClaims {
  const jws = parseCompactJws(token);
  const key = jws.keyId === undefined ? undefined : rules.keys.get(jws.keyId);
  if (key === undefined) throw new JwtRefused("key_unknown");
  if (jws.algorithm !== key.algorithm) throw new JwtRefused("algorithm");
  if (jws.type !== rules.type.toLowerCase()) throw new JwtRefused("type");
  if (!isSignedBy(jws, key)) throw new JwtRefused("signature");
  const { iss, exp } = jws.claims;
  if (typeof iss !== "string" || iss !== rules.issuer) throw new JwtRefused("issuer");
  if (typeof exp !== "number") throw new JwtRefused("expiry_missing");
  if (rules.aliveAt !== "expired is fine" && !(exp * 1000 > rules.aliveAt)) throw new JwtRefused("expired");
  return { ...jws.claims, iss, exp };
}

function isSignedBy(jws: CompactJws, key: VerificationKey): boolean {
  const { hash } = algorithmParameters[key.algorithm];
  return verify(hash, Buffer.from(jws.signingInput, "latin1"), key.input, jws.signature);
}
