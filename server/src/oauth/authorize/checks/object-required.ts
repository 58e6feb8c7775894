import { OAuthError } from "../../../base/oauth-error.ts";
import type { Sent } from "../asked.ts";

/**
 * Checks that the request of a client that has to sign its requests is signed (RFC 9101 §10.5). One behind a reference
 * was checked when it was pushed, or is read from an object.
 */
export function requireRequestObject({ client, sent }: Sent): void {
  if (!client.isRequestObjectRequired || sent.has("request") || sent.has("request_uri")) return;
  throw new OAuthError("invalid_request", "the client must send a signed request object");
}
