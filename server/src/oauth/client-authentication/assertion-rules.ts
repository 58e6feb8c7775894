import type { AssertionRules } from "../../base/jose/index.ts";

/**
 * What every assertion at our endpoints has in common (RFC 7523 §3). Discovery lists these algorithms. An hour of age is what clients of this
 * interface are used to; `iat` is demanded because age cannot be known without it.
 */
export const assertionRules = {
  algorithms: ["RS256", "RS384", "RS512", "PS256", "ES256", "ES384", "ES512", "EdDSA"],
  types: ["jwt", "client-authentication+jwt"],
  maxAgeSeconds: 3600,
  clockSkewSeconds: 10,
  required: ["iat"],
} as const satisfies Partial<AssertionRules>;
