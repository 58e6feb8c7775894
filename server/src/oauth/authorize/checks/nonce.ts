import { OAuthError } from "../../../base/oauth-error.ts";
import type { Asked } from "../asked.ts";
import type { Settled } from "../authorization-request.ts";

/**
 * Checks the nonce that binds an ID token to the client's session; the front channel requires one (OpenID Connect Core
 * §3.2.2.1).
 */
export function checkNonce({
  parameters,
  responseType,
}: Pick<Asked, "parameters"> & Settled<"responseType">): Settled<"nonce"> {
  const nonce = parameters.get("nonce");
  if (nonce === undefined && responseType !== "code") {
    throw new OAuthError("invalid_request", "parameter nonce is missing");
  }
  return { nonce };
}
