import { OAuthError } from "../../../base/oauth-error.ts";
import type { TrustedRequest } from "../asked.ts";
import { isReference } from "../pushed-request.ts";

/** Checks that the request of a client that has to push its requests was pushed (RFC 9126 §5). */
export function requirePush({ client, sent }: Pick<TrustedRequest, "client" | "sent">): void {
  if (!client.isPushRequired || isReference(sent)) return;
  throw new OAuthError("invalid_request", "the client must push its authorization requests");
}
