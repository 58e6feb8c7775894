import type { Client } from "../../domain/application/index.ts";
import { OAuthError } from "../error.ts";
import type { Parameters } from "../parameters.ts";

/** Response types that the authorization endpoint serves. */
export const supportedResponseTypes = ["code"] as const;
export type ResponseType = (typeof supportedResponseTypes)[number];

/** The response type, known and allowed for the client (RFC 6749 §3.1.1). */
export function checkResponseType(parameters: Parameters, client: Client): ResponseType {
  const requested = parameters.get("response_type");
  if (requested === undefined) throw new OAuthError("invalid_request", "parameter response_type is missing");
  const responseType = supportedResponseTypes.find((supported) => supported === requested);
  if (responseType === undefined) {
    throw new OAuthError("unsupported_response_type", "the response type is not supported");
  }
  if (!client.responseTypes.has(responseType) || !client.grantTypes.has("authorization_code")) {
    throw new OAuthError("unauthorized_client", "the client may not use this response type");
  }
  return responseType;
}
