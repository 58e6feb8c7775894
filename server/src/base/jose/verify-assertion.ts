import { hash } from "node:crypto";
import type { Instant } from "../clock.ts";
import type { SignatureAlgorithm } from "./algorithm.ts";
import { checkLifetime, type LifetimeRules } from "./assertion-lifetime.ts";
import { type CompactJws, parseCompactJws } from "./compact.ts";
import type { PublicKey } from "./public-key.ts";
import { JwtRefused } from "./refusal.ts";
import { chooseAlgorithm, verifySignature } from "./verify-signature.ts";

/** What an unproven assertion says about itself: enough to look up whose keys to check it with, and nothing more. */
export interface Assertion {
  readonly token: string;
  readonly keyId: string | undefined;
  /** `iss` and `sub` as claimed. */
  readonly issuer: string | undefined;
  readonly subject: string | undefined;
  readonly jws: CompactJws;
}

/**
 * Rules for a token that somebody else signed (RFC 7521 §5.2, RFC 7523 §3). Everything is demanded; what is not has a switch of its own that
 * is off.
 */
export interface AssertionRules extends LifetimeRules {
  /** Keys of the one who should have signed. */
  readonly keys: readonly PublicKey[];
  readonly algorithms: readonly SignatureAlgorithm[];
  /** Our issuer. It must be the only audience, so that the assertion is of no use anywhere else (CVE-2025-27370). */
  readonly audience: string;
  /** Another name of ours that does as well as the issuer, for signers who were not told better. */
  readonly otherAudience?: string | undefined;
  /** Others may stand beside us: for what proves nothing about who sends it (request objects). */
  readonly isAudienceShared?: boolean;
  readonly issuer: string;
  /** `sub` to demand; undefined for tokens that have none. */
  readonly subject: string | undefined;
  /** Media types, lower case without `application/`. A token without `typ` counts as `jwt` (RFC 7519 §5.1). */
  readonly types: readonly string[];
}

/** An assertion that is proven. */
export interface VerifiedAssertion {
  readonly claims: Readonly<Record<string, unknown>>;
  readonly keyId: string | undefined;
  /** Names this assertion for the refusal of a second use: the hash of its `jti`, or of what was signed when it has none. */
  readonly replayKey: string;
  /** From when on the assertion is refused for its age; until then its replay key must be remembered. Infinity for never. */
  readonly expiresAt: Instant;
}

/** Takes an assertion apart without believing it. Throws JwtRefused. */
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

/** Proves an assertion by all of the rules. Throws JwtRefused with the first reason. */
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
      : isOnlyAudience(aud, rules.audience) ||
        (rules.otherAudience !== undefined && isOnlyAudience(aud, rules.otherAudience));
  if (!isMeant) throw new JwtRefused("audience");
  const expiresAt = checkLifetime(jws.claims, rules);
  return { claims: jws.claims, keyId: jws.keyId, replayKey: replayKeyOf(jws), expiresAt };
}

// Without `kid` there must be no choice: trying key after key would let a token pick.
function chooseKey(keys: readonly PublicKey[], keyId: string | undefined): PublicKey {
  const matching = keyId === undefined ? keys : keys.filter((key) => key.keyId === keyId);
  const [key, ...others] = matching;
  if (key === undefined || others.length > 0) throw new JwtRefused("key_unknown");
  return key;
}

// draft-ietf-oauth-rfc7523bis §4: our issuer as its sole value. A list of exactly one is the same value in the other permitted form.
function isOnlyAudience(audience: unknown, issuer: string): boolean {
  return Array.isArray(audience) ? audience.length === 1 && audience[0] === issuer : audience === issuer;
}

const isAmongAudience = (audience: unknown, issuer: string): boolean =>
  Array.isArray(audience) ? audience.includes(issuer) : audience === issuer;

// ECDSA signatures can be rewritten by anybody, so an assertion without `jti` is named by what was signed.
function replayKeyOf({ claims: { jti }, signingInput }: CompactJws): string {
  return hash("sha256", typeof jti === "string" ? `jti ${jti}` : `jws ${signingInput}`, "base64url");
}
