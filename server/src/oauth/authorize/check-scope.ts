import { formatScope, isKnownScope, isResourceScope, parseScope, withoutAlias } from "../../authority/index.ts";
import { OAuthError } from "../../base/oauth-error.ts";
import type { Client, ResponseType } from "../../domain/application/index.ts";
import { type Parameters, required } from "../parameters.ts";

/** The client, and how it receives the response. */
export interface ScopeContext {
  readonly client: Client;
  readonly responseType: ResponseType;
  readonly namespaceAliases: readonly string[];
  /** Whether the request names resources (RFC 8707), whose scopes are not known yet. */
  readonly hasResources: boolean;
}

/**
 * Returns the scope of the request, as the client spelled it. It must contain `openid`, unless a code for a resource is
 * requested: then it may also be left out (RFC 6749 §3.3). Unknown scopes are dropped silently, and so is
 * `offline_access` when a refresh token is impossible. What a resource may know stays (`authority/check-targets`).
 */
export function checkScope(
  parameters: Parameters,
  { client, responseType, namespaceAliases, hasResources }: ScopeContext,
): string {
  const isPlain = hasResources && responseType === "code";
  const asked = parseScope(isPlain ? (parameters.get("scope") ?? "") : required(parameters, "scope"));
  const mayRefresh = responseType === "code" && client.grantTypes.has("refresh_token");
  if (!isPlain && !asked.has("openid")) throw new OAuthError("invalid_scope", "the scope must contain openid");
  const kept = [...asked].filter((token) => {
    const [own = ""] = withoutAlias([token], namespaceAliases);
    const isKnown = isKnownScope(own) || (hasResources && isResourceScope(own));
    return isKnown && (own !== "offline_access" || mayRefresh);
  });
  return formatScope(kept);
}
