import type { Instant } from "../../base/clock.ts";
import {
  JwtRefused,
  type PublishedKeys,
  parseAssertion,
  type SignatureAlgorithm,
  verifyAssertion,
} from "../../base/jose/index.ts";
import { equalInConstantTime } from "../../base/secret.ts";
import { ProviderRefused } from "./provider-refused.ts";

/** By what a token of a provider is believed. */
export interface IdTokenRules {
  readonly instanceId: string;
  readonly now: Instant;
  readonly jwksUri: string;
  /** The issuer that the token must name, when it depends on what the token says of itself (several tenants of one provider). */
  readonly issuerOf: (claims: Readonly<Record<string, unknown>>) => string | undefined;
  readonly audience: string;
  /** Undefined where the token answers no request of ours. */
  readonly nonce: string | undefined;
}

// Never `none`, never a shared secret: what anybody could sign who knows the client.
const algorithms: readonly SignatureAlgorithm[] = [
  "RS256",
  "RS384",
  "RS512",
  "PS256",
  "PS384",
  "PS512",
  "ES256",
  "ES384",
  "ES512",
  "EdDSA",
  "Ed25519",
];
/** How long after it was issued a token is taken: it was made for this sign-in. */
export const maxAgeSeconds = 600;
const clockSkewSeconds = 60;

/**
 * The claims of an id token, proven (OpenID Connect Core §3.1.3.7): signed by a key of the provider, of this issuer, for us, issued just now, alive,
 * and for this sign-in. Keys are asked for again once when none has the token's `kid`. Throws `ProviderRefused`.
 */
export async function verifyIdToken(
  publishedKeys: PublishedKeys,
  token: string,
  rules: IdTokenRules,
): Promise<Readonly<Record<string, unknown>>> {
  const { instanceId, now, audience } = rules;
  try {
    const assertion = parseAssertion(token);
    const issuer = rules.issuerOf(assertion.jws.claims);
    if (issuer === undefined) throw new JwtRefused("issuer");
    const keys = await publishedKeys.find(instanceId, rules.jwksUri, { now, keyId: assertion.keyId });
    const { claims } = await verifyAssertion(assertion, {
      ...{ keys, algorithms, audience, isAudienceShared: true, issuer, subject: undefined, types: ["jwt"] },
      ...{ now, clockSkewSeconds, maxAgeSeconds, required: ["iat"] },
    });
    checkAuthorizedParty(claims, audience);
    checkNonce(claims["nonce"], rules.nonce);
    return claims;
  } catch (error) {
    if (error instanceof JwtRefused) throw new ProviderRefused("token_refused", error.reason);
    throw error;
  }
}

// §3.1.3.7, 3–5: of several audiences one has to be the party that the token was made for, and that is us.
function checkAuthorizedParty({ aud, azp }: Readonly<Record<string, unknown>>, audience: string): void {
  const isShared = Array.isArray(aud) && aud.length > 1;
  if (azp === undefined ? isShared : azp !== audience) throw new JwtRefused("audience");
}

function checkNonce(said: unknown, nonce: string | undefined): void {
  if (nonce === undefined) return;
  if (typeof said !== "string" || !equalInConstantTime(said, nonce))
    throw new ProviderRefused("token_refused", "nonce");
}
