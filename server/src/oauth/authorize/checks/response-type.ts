import { OAuthError } from "../../../base/oauth-error.ts";
import { responseTypes } from "../../../domain/oidc-configuration/index.ts";
import { requireResponseType } from "../allowed-response.ts";
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
  requireResponseType(client, responseType);
  return { responseType };
}

const wordsOf = (responseType: string): string => responseType.split(" ").toSorted().join(" ");
