import { OAuthError } from "../../../base/oauth-error.ts";
import { responseTypes } from "../../../domain/oidc-configuration/index.ts";
import type { Asked } from "../asked.ts";
import type { Settled } from "../authorization-request.ts";

/** Response types that the authorization endpoint serves. */
export const supportedResponseTypes = responseTypes;

/**
 * Checks that the response type is known and allowed for the client (RFC 6749 §3.1.1). The order of its words does not
 * matter.
 */
export function checkResponseType({
  parameters,
  client,
}: Pick<Asked, "parameters" | "client">): Settled<"responseType"> {
  const requested = parameters.get("response_type");
  if (requested === undefined) throw new OAuthError("invalid_request", "parameter response_type is missing");
  const words = wordsOf(requested);
  const responseType = supportedResponseTypes.find((supported) => wordsOf(supported) === words);
  if (responseType === undefined) {
    throw new OAuthError("unsupported_response_type", "the response type is not supported");
  }
  const grantType = responseType === "code" ? "authorization_code" : "implicit";
  if (!client.responseTypes.has(responseType) || !client.grantTypes.has(grantType)) {
    throw new OAuthError("unauthorized_client", "the client may not use this response type");
  }
  // RFC 9449: a front-channel token cannot be bound to a key.
  if (responseType === "id_token token" && client.isDpopRequired) {
    throw new OAuthError("unauthorized_client", "access tokens of the client are bound to a key");
  }
  return { responseType };
}

const wordsOf = (responseType: string): string => responseType.split(" ").toSorted().join(" ");
