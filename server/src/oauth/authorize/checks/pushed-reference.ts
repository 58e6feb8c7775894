import { OAuthError } from "../../../base/oauth-error.ts";
import type { Sent } from "../asked.ts";

/** Checks that what is pushed is a request, and no reference to one (RFC 9126 §2.1). */
export function refusePushedReference({ sent }: Pick<Sent, "sent">): void {
  if (sent.has("request_uri")) throw new OAuthError("invalid_request", "a reference cannot be pushed");
}
