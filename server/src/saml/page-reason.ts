import { OAuthError } from "../base/oauth-error.ts";
import { SamlRefused } from "../base/saml/index.ts";
import { UntrustedRequest } from "../oauth/index.ts";

/** Returns what a page says about a message that is not trusted. Throws every other error again. */
export function toPageReason(error: unknown): UntrustedRequest | OAuthError {
  if (error instanceof UntrustedRequest || error instanceof OAuthError) return error;
  if (!(error instanceof SamlRefused)) throw error;
  return new OAuthError("invalid_request", `SAML message refused: ${error.reason}`, { cause: error });
}
