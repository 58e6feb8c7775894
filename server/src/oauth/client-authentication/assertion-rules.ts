import type { AssertionRules } from "../../base/jose/index.ts";

/**
 * The rules for assertions at all our endpoints (RFC 7523 §3). Discovery lists these algorithms. Clients of this
 * interface expect an age of up to an hour; `iat` is required because the age cannot be known without it.
 */
export const assertionRules = {
  algorithms: ["RS256", "RS384", "RS512", "PS256", "ES256", "ES384", "ES512", "EdDSA"],
  types: ["jwt", "client-authentication+jwt"],
  maxAgeSeconds: 3600,
  clockSkewSeconds: 10,
  required: ["iat"],
} as const satisfies Partial<AssertionRules>;

/**
 * The rules for what authenticates a client or a service account. The strict profile requires a `jti`, so that no
 * assertion is used twice, and an age of five minutes at most (Z1).
 */
export const assertionRulesOf = ({ isStrict }: { readonly isStrict: boolean }) =>
  isStrict ? { ...assertionRules, ...strictRules } : assertionRules;

const strictRules = { maxAgeSeconds: 300, required: ["iat", "jti"] } as const satisfies Partial<AssertionRules>;
