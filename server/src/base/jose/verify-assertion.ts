import { hash } from "node:crypto";
import type { Instant } from "../clock.ts";
import type { SignatureAlgorithm } from "./algorithm.ts";
import { checkLifetime, type LifetimeRules } from "./assertion-lifetime.ts";
import { type CompactJws, parseCompactJws } from "./compact.ts";
import type { PublicKey } from "./public-key.ts";
import { JwtRefused } from "./refusal.ts";
import { chooseAlgorithm, verifySignature } from "./verify-signature.ts";

/** The unproven claims of an assertion: enough to find the keys that verify it, and nothing more. */
export interface Assertion {
  readonly token: string;
  readonly keyId: string | undefined;
  /** `iss` and `sub` as claimed. */
  readonly issuer: string | undefined;
  readonly subject: string | undefined;
  readonly jws: CompactJws;
}

/**
 * Rules for a token signed by a third party (RFC 7521 §5.2, RFC 7523 §3). Every check is required by default; each
 * exception has its own option, which is off.
 */
export interface AssertionRules extends LifetimeRules {
  /** Keys of the expected signer. */
  readonly keys: readonly PublicKey[];
  readonly algorithms: readonly SignatureAlgorithm[];
  /**
   * Our issuer. Only this server may be the audience, so that the assertion cannot be used anywhere else
   * (CVE-2025-27370).
   */
  readonly audience: string;
  /** Other accepted names of this server; a list in the token may hold these and the issuer, and nothing else. */
  readonly otherAudiences?: readonly string[];
  /**
   * The audience may contain other servers too: for assertions that do not authenticate their sender (request objects).
   */
  readonly isAudienceShared?: boolean;
  /** The audience must be one text, and not a list (FAPI 2.0 Security Profile §5.3.2.1). */
  readonly isAudienceText?: boolean;
  readonly issuer: string;
  /** The required `sub`; undefined for tokens without a subject. */
  readonly subject: string | undefined;
  /** Media types, lower case without `application/`. A token without `typ` counts as `jwt` (RFC 7519 §5.1). */
  readonly types: readonly string[];
}

/** A verified assertion. */
export interface VerifiedAssertion {
  readonly claims: Readonly<Record<string, unknown>>;
  readonly keyId: string | undefined;
  /**
   * Identifies this assertion to refuse a second use: the hash of its `jti`. Undefined when it has none: then nothing
   * tells a replay from a second use by its owner, and only its short life protects it (RFC 7523 §3, point 7).
   */
  readonly replayKey: string | undefined;
  /**
   * When the assertion becomes too old to be accepted; until then its replay key must be remembered. Infinity for
   * never.
   */
  readonly expiresAt: Instant;
}

/** Parses an assertion without trusting it. Throws JwtRefused. */
export function parseAssertion(token: string): Assertion {
  const jws = parseCompactJws(token);
  const { iss, sub } = jws.claims;
  return {
    token,
    jws,
    keyId: jws.keyId,
    issuer: typeof iss === "string" ? iss : undefined,
    subject: typeof sub === "string" ? sub : undefined,
  };
}

/** Verifies an assertion by all of the rules. Throws JwtRefused with the first reason. */
export async function verifyAssertion(
  assertion: string | Assertion,
  rules: AssertionRules,
): Promise<VerifiedAssertion> {
  const { jws } = typeof assertion === "string" ? parseAssertion(assertion) : assertion;
  if (!rules.types.includes(jws.type ?? "jwt")) throw new JwtRefused("type");
  const key = chooseKey(rules.keys, jws.keyId);
  const algorithm = chooseAlgorithm(jws.algorithm, rules.algorithms, key.algorithms);
  await verifySignature(jws, key, algorithm);
  const { iss, sub, aud } = jws.claims;
  if (iss !== rules.issuer) throw new JwtRefused("issuer");
  if (rules.subject !== undefined && sub !== rules.subject) throw new JwtRefused("subject");
  const isMeant =
    rules.isAudienceShared === true
      ? isAmongAudience(aud, rules.audience)
      : isOnlyAudience(aud, [rules.audience, ...(rules.otherAudiences ?? [])]);
  if (!isMeant || (rules.isAudienceText === true && Array.isArray(aud))) throw new JwtRefused("audience");
  const expiresAt = checkLifetime(jws.claims, rules);
  return { claims: jws.claims, keyId: jws.keyId, replayKey: replayKeyOf(jws), expiresAt };
}

// Without `kid` there must be exactly one candidate: trying key after key would let the token choose.
function chooseKey(keys: readonly PublicKey[], keyId: string | undefined): PublicKey {
  const matching = keyId === undefined ? keys : keys.filter((key) => key.keyId === keyId);
  const [key, ...others] = matching;
  if (key === undefined || others.length > 0) throw new JwtRefused("key_unknown");
  return key;
}

// draft-ietf-oauth-rfc7523bis §4: this server alone. Every entry of a list must be another one of our names.
function isOnlyAudience(audience: unknown, names: readonly string[]): boolean {
  const entries: readonly unknown[] = Array.isArray(audience) ? audience : [audience];
  const isDistinct = new Set(entries).size === entries.length;
  return isDistinct && entries.length > 0 && entries.every((entry) => names.some((name) => name === entry));
}

const isAmongAudience = (audience: unknown, issuer: string): boolean =>
  Array.isArray(audience) ? audience.includes(issuer) : audience === issuer;

function replayKeyOf({ claims: { jti } }: CompactJws): string | undefined {
  return typeof jti === "string" ? hash("sha256", `jti ${jti}`, "base64url") : undefined;
}
