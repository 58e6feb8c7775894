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

/** The required signer and audience of a token. */
export interface SignedBy {
  readonly instanceId: string;
  readonly now: Instant;
  readonly jwksUri: string;
  /** Returns the issuer that the token must name; it may depend on the claims (several tenants of one provider). */
  readonly issuerOf: (claims: Readonly<Record<string, unknown>>) => string | undefined;
  readonly audience: string;
}

export interface ProvenToken {
  readonly claims: Readonly<Record<string, unknown>>;
  readonly algorithm: string;
}

// Never `none` and never a shared secret: any party that knows the client secret could sign with it.
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
 * Returns the claims of a token signed with a key that the provider publishes: of the issuer, for the audience, not
 * expired. The keys are fetched again once when none has the token's `kid`. Throws `ProviderRefused`.
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
      keys,
      algorithms,
      audience,
      isAudienceShared: true,
      issuer,
      subject: undefined,
      now,
      clockSkewSeconds,
      ...rules,
    });
    return { claims, algorithm: assertion.jws.algorithm };
  } catch (error) {
    if (error instanceof JwtRefused) throw new ProviderRefused("token_refused", error.reason);
    throw error;
  }
}
