import { OAuthError } from "../../base/oauth-error.ts";
import type { Parameters } from "../parameters.ts";

/** Checks `dpop_jkt`: the thumbprint of the key that the redemption of the code will prove (RFC 9449 §10). */
export function checkDpopThumbprint(parameters: Parameters): string | undefined {
  const thumbprint = parameters.get("dpop_jkt");
  if (thumbprint === undefined || /^[A-Za-z0-9_-]{43}$/.test(thumbprint)) return thumbprint;
  throw new OAuthError("invalid_request", "dpop_jkt must be a SHA-256 thumbprint in base64url");
}
