import { OAuthError } from "./error.ts";
import type { Parameters } from "./parameters.ts";

/** The parameter that may come several times (RFC 8707 §2); its values stand with a space between. */
export const repeatableResource = ["resource"] as const;

const maximumResources = 10;
const longestResource = 2_048;

/**
 * Resources that a request names (RFC 8707 §2), each once: absolute URIs without fragment, on https (http on this machine), because a token is
 * sent there. Throws `invalid_target`.
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

/** The resources of a token: those of the request, which must be among those that were granted; all of them when it names none (§2.2). */
export function chooseResources(requested: readonly string[], granted: readonly string[]): readonly string[] {
  if (requested.every((resource) => granted.includes(resource))) return requested.length > 0 ? requested : granted;
  throw new OAuthError("invalid_target", "the resource was not granted by the authorization");
}

/** The resources in an audience: what is an address there, and not the client itself. */
export const resourcesOf = (audience: readonly string[], clientId: string): string[] =>
  audience.filter((name) => name.includes("://") && name !== clientId);

/** Members of an audience that stand for the resources. Our own APIs are known by their project. */
export function audienceOfResources(
  resources: readonly string[],
  { issuer, systemProjectId }: { readonly issuer: string; readonly systemProjectId: string },
): string[] {
  const isOurs = resources.some((resource) => resource === issuer || resource === `${issuer}/`);
  return [...resources, ...(isOurs ? [systemProjectId] : [])];
}
