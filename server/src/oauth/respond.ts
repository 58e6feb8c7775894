import type { OAuthError } from "../base/oauth-error.ts";
import { proofAlgorithms } from "../bearer/index.ts";
import { endpointPaths, type WebResponse } from "../web/index.ts";
import { oauthStatus } from "./error-status.ts";

const noStore = { "cache-control": "no-store", pragma: "no-cache", "x-content-type-options": "nosniff" } as const;

/** Returns a JSON response that must not be stored (RFC 6749 §5.1). */
export function json(status: number, body: object, headers: WebResponse["headers"] = {}): WebResponse {
  return {
    status,
    headers: { "content-type": "application/json", ...noStore, ...headers },
    body: JSON.stringify(body),
  };
}

/** Returns a signed response that must not be stored. */
export const jwt = (body: string): WebResponse => ({
  status: 200,
  headers: { "content-type": "application/jwt", ...noStore },
  body,
});

/** An empty 200 that must not be stored (RFC 7009 §2.2). */
export const empty: WebResponse = { status: 200, headers: noStore };

/**
 * Formats an error of a back-channel endpoint (RFC 6749 §5.2). Failed client authentication gets a 401 with the Basic
 * challenge, as RFC 6749 requires when the `Authorization` header was used.
 */
export function oauthErrorResponse(error: OAuthError): WebResponse {
  const challenge =
    error.code === "invalid_client" ? { "www-authenticate": 'Basic realm="clients", charset="UTF-8"' } : undefined;
  const body = { error: error.code, error_description: error.description };
  if (error.retryAfter !== undefined) return json(429, body, { "retry-after": String(error.retryAfter) });
  return json(oauthStatus[error.code], body, challenge);
}

/** Formats an error of an endpoint that accepts only bearer tokens (RFC 6750 §3): the challenge repeats the body. */
export function bearerErrorResponse({ code, description }: OAuthError): WebResponse {
  const challenge = `Bearer error="${code}", error_description="${description}"`;
  return json(oauthStatus[code], { error: code, error_description: description }, { "www-authenticate": challenge });
}

/**
 * Formats an error of an endpoint that accepts access tokens (RFC 6750 §3, RFC 9449 §7.1). One challenge repeats the
 * body, the other names the alternative scheme; both name the metadata for obtaining a token (RFC 9728 §5.1).
 */
export function resourceErrorResponse(error: OAuthError, origin: string): WebResponse {
  if (error.retryAfter !== undefined) return oauthErrorResponse(error);
  const { code, description } = error;
  const said = `error="${code}", error_description="${description}"`;
  const metadata = `resource_metadata="${origin}${endpointPaths.protectedResource}"`;
  const isAboutProof = code === "invalid_dpop_proof" || code === "use_dpop_nonce";
  const dpop = `DPoP ${isAboutProof ? `${said}, ` : ""}algs="${proofAlgorithms.join(" ")}", ${metadata}`;
  return json(
    isAboutProof ? 401 : oauthStatus[code],
    { error: code, error_description: description },
    { "www-authenticate": isAboutProof ? dpop : [`Bearer ${said}, ${metadata}`, dpop] },
  );
}
