import type { AuthRequestParameters } from "../../domain/auth-request/index.ts";

const scopeOfClaim = (claim: string): string => {
  if (claim.startsWith("email")) return "email";
  return claim.startsWith("phone_number") ? "phone" : "profile";
};

// A scope cannot contain this character (RFC 6749 §3.3), so no scope can be mistaken for a resource.
const resourceMark = '"';

/**
 * Returns what the user permits by answering the request, as words to store and compare. These are its scopes, the
 * scopes that would have given the claims requested by name (OpenID Connect Core §5.5), and the resources of its tokens
 * (RFC 8707 §2.1).
 */
export function consentWords({
  scope,
  claims,
  resources = [],
}: Pick<AuthRequestParameters, "scope" | "claims" | "resources">): string[] {
  const named = [...(claims?.idToken ?? []), ...(claims?.userinfo ?? [])];
  const scopes = new Set([...scope.split(" "), ...named.map(scopeOfClaim)]);
  return [...scopes, ...resources.map((resource) => `${resourceMark}${resource}`)];
}

/** Returns the scopes and the resources in such words. */
export const readConsentWords = (words: readonly string[]) => ({
  scopes: words.filter((word) => !word.startsWith(resourceMark)),
  resources: words.filter((word) => word.startsWith(resourceMark)).map((word) => word.slice(resourceMark.length)),
});
