import { OAuthError } from "../../../base/oauth-error.ts";
import type { Asked } from "../asked.ts";
import type { Settled } from "../authorization-request.ts";

/** Checks `dpop_jkt`: the thumbprint of the key that the redemption of the code will prove (RFC 9449 §10). */
export function checkDpopThumbprint({ parameters }: Pick<Asked, "parameters">): Settled<"dpopThumbprint"> {
  const dpopThumbprint = parameters.get("dpop_jkt");
  if (dpopThumbprint === undefined || /^[A-Za-z0-9_-]{43}$/.test(dpopThumbprint)) return { dpopThumbprint };
  throw new OAuthError("invalid_request", "dpop_jkt must be a SHA-256 thumbprint in base64url");
}
