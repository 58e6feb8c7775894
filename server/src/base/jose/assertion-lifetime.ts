import { type Instant, seconds } from "../clock.ts";
import { JwtRefused } from "./refusal.ts";

/** Rules for the time in which an assertion is valid. */
export interface LifetimeRules {
  readonly now: Instant;
  /** Tolerated difference of the clocks; at most 60 (RFC 8725 and common practice). */
  readonly clockSkewSeconds: number;
  /** How long after `iat` the assertion is accepted, whatever its `exp` says. */
  readonly maxAgeSeconds: number;
  /** Required claims besides `exp`. Without `iat`, `exp` itself may not be further away than the maximal age. */
  readonly required: readonly ("iat" | "jti")[];
  /** A token without `exp` is valid as long as its age allows. */
  readonly isExpiryOptional?: boolean;
}

// 9999-12-31T23:59:59Z: beyond it a number is not a date but an attack on arithmetic.
const lastNumericDate = 253_402_300_799;
const longestTokenId = 256;
const never = Number.POSITIVE_INFINITY;

/**
 * Checks `exp`, `nbf`, `iat` and `jti`, and returns the time from which the assertion is refused. Throws JwtRefused.
 */
export function checkLifetime(claims: Readonly<Record<string, unknown>>, rules: LifetimeRules): Instant {
  const now = rules.now;
  const skew = seconds(rules.clockSkewSeconds);
  const maximalAge = seconds(rules.maxAgeSeconds);

  const expiresAt = readNumericDate(claims, "exp") ?? (rules.isExpiryOptional === true ? never : undefined);
  if (expiresAt === undefined) throw new JwtRefused("expiry_missing");
  if (expiresAt + skew <= now) throw new JwtRefused("expired");

  const notBefore = readNumericDate(claims, "nbf");
  if (notBefore !== undefined && notBefore - skew > now) throw new JwtRefused("not_yet_valid");

  checkTokenId(claims, rules);

  const issuedAt = readNumericDate(claims, "iat");
  if (issuedAt === undefined) {
    if (rules.required.includes("iat")) throw new JwtRefused("issued_at_missing");
    if (expiresAt - maximalAge - skew > now) throw new JwtRefused("lives_too_long");
    return expiresAt + skew;
  }
  if (issuedAt - skew > now) throw new JwtRefused("issued_in_future");
  if (issuedAt + maximalAge + skew <= now) throw new JwtRefused("too_old");
  return Math.min(expiresAt, issuedAt + maximalAge) + skew;
}

// RFC 7519 §2: a number of seconds, fractions allowed. A claim of any other type is malformed, never "absent".
function readNumericDate(claims: Readonly<Record<string, unknown>>, name: "exp" | "nbf" | "iat"): Instant | undefined {
  const value = Object.hasOwn(claims, name) ? claims[name] : undefined;
  if (value === undefined) return undefined;
  if (typeof value !== "number" || !(value >= 0 && value <= lastNumericDate)) throw new JwtRefused("payload_malformed");
  return value * 1000;
}

function checkTokenId(claims: Readonly<Record<string, unknown>>, { required }: LifetimeRules): void {
  const tokenId = Object.hasOwn(claims, "jti") ? claims["jti"] : undefined;
  if (tokenId === undefined) {
    if (required.includes("jti")) throw new JwtRefused("token_id_missing");
  } else if (typeof tokenId !== "string" || tokenId === "" || tokenId.length > longestTokenId) {
    throw new JwtRefused("token_id_malformed");
  }
}
