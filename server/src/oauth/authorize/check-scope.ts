import type { Client, ResponseType } from "../../domain/application/index.ts";
import { OAuthError } from "../error.ts";
import { type Parameters, required } from "../parameters.ts";
import { formatScope, isKnownScope, parseScope, withoutAlias } from "../scope.ts";

/** Who asks, and how the answer travels. */
export interface ScopeContext {
  readonly client: Client;
  readonly responseType: ResponseType;
  readonly namespaceAliases: readonly string[];
}

/**
 * The scope that the request may lead to, as the client spelled it: must have `openid`; what nobody knows is dropped in silence, and
 * `offline_access` is when there will be nothing to refresh.
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
