import type { AuthRequestParameters } from "../../domain/auth-request/index.ts";

const scopeOfClaim = (claim: string): string => {
  if (claim.startsWith("email")) return "email";
  return claim.startsWith("phone_number") ? "phone" : "profile";
};

// A scope cannot have this character (RFC 6749 §3.3), so nothing that a client asks for reads like one of its resources.
const resourceMark = '"';

/**
 * What a person lets the client do who answers the request, as words to keep and to compare: its scopes, those that would have given the claims
 * that it asks for by name (OpenID Connect Core §5.5), and the resources that its tokens are for (RFC 8707 §2.1).
 */
export function consentWords({ scope, claims, resources = [] }: AuthRequestParameters): string[] {
  const named = [...(claims?.idToken ?? []), ...(claims?.userinfo ?? [])];
  const scopes = new Set([...scope.split(" "), ...named.map(scopeOfClaim)]);
  return [...scopes, ...resources.map((resource) => `${resourceMark}${resource}`)];
}

/** The scopes and the resources of such words. */
export const readConsentWords = (words: readonly string[]) => ({
  scopes: words.filter((word) => !word.startsWith(resourceMark)),
  resources: words.filter((word) => word.startsWith(resourceMark)).map((word) => word.slice(resourceMark.length)),
});
