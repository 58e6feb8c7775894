import type { WebResponse } from "../web/index.ts";
import { proofAlgorithms } from "./dpop/proof-rules.ts";
import { type OAuthError, oauthStatus } from "./error.ts";

const noStore = { "cache-control": "no-store", pragma: "no-cache", "x-content-type-options": "nosniff" } as const;

/** A JSON answer that nobody may keep (RFC 6749 §5.1). */
export function json(status: number, body: object, headers: WebResponse["headers"] = {}): WebResponse {
  return {
    status,
    headers: { "content-type": "application/json", ...noStore, ...headers },
    body: JSON.stringify(body),
  };
}

/** A signed answer that nobody may keep. */
export const jwt = (body: string): WebResponse => ({
  status: 200,
  headers: { "content-type": "application/jwt", ...noStore },
  body,
});

/** An empty 200 that nobody may keep (RFC 7009 §2.2). */
export const empty: WebResponse = { status: 200, headers: noStore };

/**
 * An error of a back-channel endpoint (RFC 6749 §5.2). A failed client gets the Basic challenge with its 401, as RFC 6749 demands when
 * the `Authorization` header was used.
 */
export function oauthErrorResponse(error: OAuthError): WebResponse {
  const challenge =
    error.code === "invalid_client" ? { "www-authenticate": 'Basic realm="clients", charset="UTF-8"' } : undefined;
  const body = { error: error.code, error_description: error.description };
  if (error.retryAfter !== undefined) return json(429, body, { "retry-after": String(error.retryAfter) });
  return json(oauthStatus[error.code], body, challenge);
}

/** An error of an endpoint that takes bearer tokens alone (RFC 6750 §3): the challenge says the same as the body. */
export function bearerErrorResponse({ code, description }: OAuthError): WebResponse {
  const challenge = `Bearer error="${code}", error_description="${description}"`;
  return json(oauthStatus[code], { error: code, error_description: description }, { "www-authenticate": challenge });
}

/**
 * An error of an endpoint that takes access tokens (RFC 6750 §3, RFC 9449 §7.1): the challenge says the same as the body, and the other one how
 * else a token may come.
 */
export function resourceErrorResponse(error: OAuthError): WebResponse {
  const { code, description } = error;
  const said = `error="${code}", error_description="${description}"`;
  const isAboutProof = code === "invalid_dpop_proof" || code === "use_dpop_nonce";
  const dpop = `DPoP ${isAboutProof ? `${said}, ` : ""}algs="${proofAlgorithms.join(" ")}"`;
  return json(
    isAboutProof ? 401 : oauthStatus[code],
    { error: code, error_description: description },
    { "www-authenticate": isAboutProof ? dpop : [`Bearer ${said}`, dpop] },
  );
}
