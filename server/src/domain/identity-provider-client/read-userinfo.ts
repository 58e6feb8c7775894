import type { Secret } from "../../base/secret.ts";
import { fetchText, readObject } from "./fetch-json.ts";
import { proveToken, type SignedBy } from "./prove-token.ts";
import type { ProviderClientDeps } from "./provider-client.ts";
import { ProviderRefused } from "./provider-refused.ts";

type Claims = Readonly<Record<string, unknown>>;

/**
 * Reads the userinfo endpoint for the user of the id token (OpenID Connect Core §5.3.2). A signed response must be of
 * the same issuer and for us as well; its age does not matter, because it was fetched just now. Throws
 * `ProviderRefused`.
 */
export async function readUserinfo(
  { outbound, publishedKeys }: Pick<ProviderClientDeps, "outbound" | "publishedKeys">,
  endpoint: { readonly url: string; readonly by: SignedBy },
  { accessToken, claims }: { readonly accessToken: Secret; readonly claims: Claims },
): Promise<Claims> {
  const headers = { authorization: `Bearer ${accessToken.reveal()}`, accept: "application/json, application/jwt" };
  const { status, mediaType, body } = await fetchText(outbound, { url: endpoint.url, headers });
  if (status !== 200) throw new ProviderRefused("unreachable", `status ${status}`);
  const userinfo =
    mediaType === "application/jwt"
      ? (await proveToken(publishedKeys, body.trim(), endpoint.by, ageless)).claims
      : readObject(body);
  // Without the same `sub` it must not be used: the access token may belong to another user.
  if (userinfo["sub"] !== claims["sub"]) throw new ProviderRefused("subject_mismatch");
  return userinfo;
}

// No standard defines a type; Doorward uses one.
const types = ["jwt", "userinfo+jwt"];
const ageless = { maxAgeSeconds: Number.POSITIVE_INFINITY, required: [], isExpiryOptional: true, types } as const;
