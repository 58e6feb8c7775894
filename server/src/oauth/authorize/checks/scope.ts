import { formatScope, isKnownScope, isResourceScope, parseScope, withoutAlias } from "../../../authority/index.ts";
import { OAuthError } from "../../../base/oauth-error.ts";
import { required } from "../../parameters.ts";
import type { Asked } from "../asked.ts";
import type { Settled } from "../authorization-request.ts";

/**
 * Checks the scope and keeps it as the client spelled it. It must contain `openid`, unless a code for a resource is
 * requested: then it may also be left out (RFC 6749 §3.3). Unknown scopes are dropped silently, and so is
 * `offline_access` when a refresh token is impossible. What a resource may know stays; whether one does is checked with
 * the targets.
 */
export function checkScope({
  deps: { namespaceAliases },
  parameters,
  client,
  responseType,
  resources,
}: Asked & Settled<"responseType" | "resources">): Settled<"scope"> {
  const hasResources = resources.length > 0;
  const isPlain = hasResources && responseType === "code";
  const asked = parseScope(isPlain ? (parameters.get("scope") ?? "") : required(parameters, "scope"));
  const mayRefresh = responseType === "code" && client.grantTypes.has("refresh_token");
  if (!isPlain && !asked.has("openid")) throw new OAuthError("invalid_scope", "the scope must contain openid");
  const kept = [...asked].filter((token) => {
    const [own = ""] = withoutAlias([token], namespaceAliases);
    const isKnown = isKnownScope(own) || (hasResources && isResourceScope(own));
    return isKnown && (own !== "offline_access" || mayRefresh);
  });
  return { scope: formatScope(kept) };
}
