import type { AuthRequestParameters } from "../domain/auth-request/index.ts";
import type { AudienceResource } from "../domain/resource/index.ts";
import { isResourceScope } from "./scope.ts";

const scopeOfClaim = (claim: string): string => {
  if (claim.startsWith("email")) return "email";
  return claim.startsWith("phone_number") ? "phone" : "profile";
};

// Neither a scope (RFC 6749 §3.3) nor the URI of a resource contains this character, so none can be mistaken for
// another.
const mark = '"';

/**
 * Returns what the user permits by answering the request, as words to store and compare. These are its scopes, the
 * scopes that would have given the claims requested by name (OpenID Connect Core §5.5), the resources of its tokens
 * (RFC 8707 §2.1), and each scope at each resource that knows it. What is permitted at one is not permitted at another.
 * A resource is named by its id as well: one that is registered later with the same URI is another one.
 */
export function consentWords(
  { scope, claims, resources = [] }: Pick<AuthRequestParameters, "scope" | "claims" | "resources">,
  registered: readonly AudienceResource[],
): string[] {
  const named = [...(claims?.idToken ?? []), ...(claims?.userinfo ?? [])];
  const scopes = [...new Set([...scope.split(" ").filter((one) => one !== ""), ...named.map(scopeOfClaim)])];
  const uris = new Set(registered.map(({ uri }) => uri));
  return [
    ...scopes.filter((one) => !isResourceScope(one)),
    ...resources.filter((uri) => !uris.has(uri)).map((uri) => `${mark}${uri}`),
    ...registered.flatMap((resource) => [
      wordOf(resource),
      ...resource.scopes.filter(({ name }) => scopes.includes(name)).map(({ name }) => wordOf(resource, name)),
    ]),
  ];
}

/** Returns the word for a resource, or for a scope at it. */
export const wordOf = ({ uri, resourceId }: Pick<AudienceResource, "uri" | "resourceId">, scope?: string): string =>
  [`${mark}${uri}`, resourceId, ...(scope === undefined ? [] : [scope])].join(mark);

/** Returns the scopes and the resources in such words. */
export function readConsentWords(words: readonly string[]) {
  const ofResources = words.filter((word) => word.startsWith(mark)).map((word) => word.slice(mark.length).split(mark));
  return {
    scopes: words.filter((word) => !word.startsWith(mark)),
    resources: [...new Set(ofResources.map(([uri = ""]) => uri))],
    /** Scopes at any of the resources. */
    resourceScopes: [...new Set(ofResources.map(([, , scope]) => scope).filter((scope) => scope !== undefined))],
  };
}
