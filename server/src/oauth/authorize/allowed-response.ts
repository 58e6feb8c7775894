import { OAuthError } from "../../base/oauth-error.ts";
import type { Client } from "../../domain/application/index.ts";
import type { ResponseType } from "../../domain/oidc-configuration/index.ts";

/** Refuses a client that may not use a response type. */
export function requireResponseType(client: Client, responseType: ResponseType): void {
  const grantType = responseType === "code" ? "authorization_code" : "implicit";
  if (!client.responseTypes.has(responseType) || !client.grantTypes.has(grantType)) {
    throw new OAuthError("unauthorized_client", "the client may not use this response type");
  }
  // RFC 9449: a front-channel token cannot be bound to a key.
  if (responseType === "id_token token" && client.isDpopRequired) {
    throw new OAuthError("unauthorized_client", "access tokens of the client are bound to a key");
  }
}

/** Refuses a client that may not ask for a code without a challenge. */
export function requirePlainCode(client: Client): void {
  if (client.isPkceRequired) throw new OAuthError("invalid_request", "the client must use PKCE");
  if (client.authMethod === "none") throw new OAuthError("invalid_request", "public clients must use PKCE");
}
