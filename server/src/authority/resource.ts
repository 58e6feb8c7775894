import { OAuthError } from "../base/oauth-error.ts";
import { parseResourceUri } from "../domain/resource/index.ts";

/**
 * Requires that the resources of a token request were granted (RFC 8707 §2.2), in any spelling. Throws
 * `invalid_target`.
 */
export function requireGranted(named: readonly string[], granted: readonly string[]): void {
  const keys = new Set(granted.map(keyOf));
  if (named.every((resource) => keys.has(keyOf(resource)))) return;
  throw new OAuthError("invalid_target", "the resource was not granted by the authorization");
}

const keyOf = (resource: string): string => parseResourceUri(resource)?.key ?? resource;

/** Returns the resources in an audience: its addresses, except the client itself. */
export const resourcesOf = (audience: readonly string[], clientId: string): string[] =>
  audience.filter((name) => name.includes("://") && name !== clientId);

/**
 * Returns the clients and projects in an audience. A resource is an address, so it does not stand for a client whose id
 * is that address.
 */
export function namesOf(audience: readonly string[], clientId: string): string[] {
  const resources = new Set(resourcesOf(audience, clientId));
  return audience.filter((name) => !resources.has(name));
}

/**
 * Whether a resource is one of our own APIs: any address of the issuer's origin, however it is spelled. Such a token is
 * accepted here, so its spelling must not decide about the permission to ask for it.
 */
export const isOwnResource = (resource: string, issuer: string): boolean =>
  URL.parse(resource)?.origin === new URL(issuer).origin;
