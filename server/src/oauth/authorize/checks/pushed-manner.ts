import { OAuthError } from "../../../base/oauth-error.ts";
import type { Client } from "../../../domain/application/index.ts";
import type { Parameters } from "../../parameters.ts";

/**
 * Checks that a pushed request is a request, and signed where the client is bound to that (RFC 9126 §2.1, RFC 9101
 * §10.5).
 */
export function checkPushedManner({ client, sent }: { readonly client: Client; readonly sent: Parameters }): void {
  if (sent.has("request_uri")) throw new OAuthError("invalid_request", "a reference cannot be pushed");
  if (client.isRequestObjectRequired && !sent.has("request")) {
    throw new OAuthError("invalid_request", "the client must send a signed request object");
  }
}
