import { OAuthError } from "../base/oauth-error.ts";
import { parseResourceUri } from "../domain/resource/index.ts";
import type { Parameters } from "./parameters.ts";

/** The parameter that may be repeated (RFC 8707 §2); its values are joined by spaces. */
export const repeatableResource = ["resource"] as const;

const maximumResources = 10;
const longestResource = 2_048;

/**
 * Returns the distinct resources in a request (RFC 8707 §2). They are absolute URIs without fragment, on https (or http
 * on this machine), because tokens are sent there. Throws `invalid_target`.
 */
export function readResources(parameters: Parameters): string[] {
  const resources = [...new Set((parameters.get("resource") ?? "").split(" ").filter((text) => text !== ""))];
  if (resources.length > maximumResources) throw new OAuthError("invalid_target", "too many resources");
  for (const resource of resources) {
    if (!isResource(resource)) {
      throw new OAuthError("invalid_target", "a resource must be an absolute https URI without fragment");
    }
  }
  return resources;
}

function isResource(text: string): boolean {
  if (text.length > longestResource || !/^[\x21-\x7e]+$/.test(text) || !URL.canParse(text)) return false;
  const { protocol, hostname, username, password } = new URL(text);
  if (text.includes("#") || username !== "" || password !== "") return false;
  const isHere = hostname === "localhost" || hostname === "127.0.0.1" || hostname === "[::1]";
  return protocol === "https:" || (protocol === "http:" && isHere);
}

/**
 * Requires that the resources of a token request were granted (RFC 8707 §2.2), in any spelling. Throws `invalid_target`.
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
 * Returns the clients and projects in an audience. A resource is an address, so it does not stand for a client whose id is
 * that address.
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
