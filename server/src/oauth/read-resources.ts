import { OAuthError } from "../base/oauth-error.ts";
import { isLoopbackHost } from "../base/outbound/index.ts";
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
  return protocol === "https:" || (protocol === "http:" && isLoopbackHost(hostname));
}
