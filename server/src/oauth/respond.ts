import type { WebResponse } from "../web/index.ts";
import { type OAuthError, oauthStatus } from "./error.ts";

const noStore = { "cache-control": "no-store", pragma: "no-cache", "x-content-type-options": "nosniff" } as const;

/** A JSON answer that nobody may keep (RFC 6749 §5.1). */
export function json(status: number, body: object, headers: Readonly<Record<string, string>> = {}): WebResponse {
  return {
    status,
    headers: { "content-type": "application/json", ...noStore, ...headers },
    body: JSON.stringify(body),
  };
}

/** An empty 200 that nobody may keep (RFC 7009 §2.2). */
export const empty: WebResponse = { status: 200, headers: noStore };

/**
 * An error of a back-channel endpoint (RFC 6749 §5.2). A failed client gets the Basic challenge with its 401, as RFC 6749 demands when
 * the `Authorization` header was used.
 */
export function oauthErrorResponse(error: OAuthError): WebResponse {
  const challenge =
    error.code === "invalid_client" ? { "www-authenticate": 'Basic realm="clients", charset="UTF-8"' } : undefined;
  return json(oauthStatus[error.code], { error: error.code, error_description: error.description }, challenge);
}

/** An error of an endpoint that takes bearer tokens (RFC 6750 §3): the challenge says the same as the body. */
export function bearerErrorResponse(error: OAuthError): WebResponse {
  const challenge = `Bearer error="${error.code}", error_description="${error.description}"`;
  return json(
    oauthStatus[error.code],
    { error: error.code, error_description: error.description },
    { "www-authenticate": challenge },
  );
}
