import { OAuthError } from "../../../base/oauth-error.ts";
import type { TrustedRequest } from "../asked.ts";
import { isReference } from "../pushed-request.ts";

/** Checks that the request came to the authorization endpoint in the way that the client is bound to. */
export function checkManner({ client, sent }: Pick<TrustedRequest, "client" | "sent">): void {
  if (isReference(sent)) return;
  if (client.isPushRequired) {
    throw new OAuthError("invalid_request", "the client must push its authorization requests");
  }
  // RFC 9101 §10.5. A pushed request was checked when it was pushed.
  if (client.isRequestObjectRequired && !sent.has("request") && !sent.has("request_uri")) {
    throw new OAuthError("invalid_request", "the client must send a signed request object");
  }
}
