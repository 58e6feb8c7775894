import type { Client } from "../../domain/application/index.ts";
import { OAuthError } from "../error.ts";
import { type Parameters, required } from "../parameters.ts";
import { formatScope, isKnownScope, parseScope, withoutAlias } from "../scope.ts";

/**
 * The scope that the request may lead to, as the client spelled it: must have `openid`; what nobody knows is dropped in silence, and
 * `offline_access` is when the client may not refresh.
 */
export function checkScope(parameters: Parameters, client: Client, aliases: readonly string[]): string {
  const asked = parseScope(required(parameters, "scope"));
  if (!asked.has("openid")) throw new OAuthError("invalid_scope", "the scope must contain openid");
  const kept = [...asked].filter((token) => {
    const [own = ""] = withoutAlias([token], aliases);
    return isKnownScope(own) && (own !== "offline_access" || client.grantTypes.has("refresh_token"));
  });
  return formatScope(kept);
}
