import type { Instant } from "../../base/clock.ts";
import {
  type AssertionRules,
  JwtRefused,
  type PublishedKeys,
  parseAssertion,
  type SignatureAlgorithm,
  verifyAssertion,
} from "../../base/jose/index.ts";
import { ProviderRefused } from "./provider-refused.ts";

/** Whose word a token has to be, and for whom. */
export interface SignedBy {
  readonly instanceId: string;
  readonly now: Instant;
  readonly jwksUri: string;
  /** The issuer that the token must name, when it depends on what the token says of itself (several tenants of one provider). */
  readonly issuerOf: (claims: Readonly<Record<string, unknown>>) => string | undefined;
  readonly audience: string;
}

export interface ProvenToken {
  readonly claims: Readonly<Record<string, unknown>>;
  readonly algorithm: string;
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
const clockSkewSeconds = 60;

/**
 * The claims of a token that a provider signed by a key which it publishes: of the issuer, for the audience, alive. Keys are asked for again once
 * when none has the token's `kid`. Throws `ProviderRefused`.
 */
export async function proveToken(
  publishedKeys: PublishedKeys,
  token: string,
  { instanceId, now, jwksUri, issuerOf, audience }: SignedBy,
  rules: Pick<AssertionRules, "maxAgeSeconds" | "required" | "isExpiryOptional" | "types">,
): Promise<ProvenToken> {
  try {
    const assertion = parseAssertion(token);
    const issuer = issuerOf(assertion.jws.claims);
    if (issuer === undefined) throw new JwtRefused("issuer");
    const keys = await publishedKeys.find(instanceId, jwksUri, { now, keyId: assertion.keyId });
    const { claims } = await verifyAssertion(assertion, {
      ...{ keys, algorithms, audience, isAudienceShared: true, issuer, subject: undefined },
      ...{ now, clockSkewSeconds, ...rules },
    });
    return { claims, algorithm: assertion.jws.algorithm };
  } catch (error) {
    if (error instanceof JwtRefused) throw new ProviderRefused("token_refused", error.reason);
    throw error;
  }
}
