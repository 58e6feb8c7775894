import type { Client, ResponseType } from "../../domain/application/index.ts";
import { OAuthError } from "../error.ts";
import { type Parameters, required } from "../parameters.ts";
import { formatScope, isKnownScope, parseScope, withoutAlias } from "../scope.ts";

/** The client, and how it receives the response. */
export interface ScopeContext {
  readonly client: Client;
  readonly responseType: ResponseType;
  readonly namespaceAliases: readonly string[];
}

/**
 * Returns the scope of the request, as the client spelled it. It must contain `openid`. Unknown scopes are dropped
 * silently, and so is `offline_access` when a refresh token is impossible.
 */
export function checkScope(parameters: Parameters, { client, responseType, namespaceAliases }: ScopeContext): string {
  const asked = parseScope(required(parameters, "scope"));
  const mayRefresh = responseType === "code" && client.grantTypes.has("refresh_token");
  if (!asked.has("openid")) throw new OAuthError("invalid_scope", "the scope must contain openid");
  const kept = [...asked].filter((token) => {
    const [own = ""] = withoutAlias([token], namespaceAliases);
    return isKnownScope(own) && (own !== "offline_access" || mayRefresh);
  });
  return formatScope(kept);
}
