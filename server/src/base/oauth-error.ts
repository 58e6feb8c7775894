/**
 * The supported error codes of RFC 6749 §4.1.2.1 and §5.2, RFC 6750 §3.1, RFC 7591 §3.2.2, RFC 8628 §3.5, RFC 8693
 * §2.2.2, RFC 9449 §5, §8 and OpenID Connect Core §3.1.2.6.
 */
export type OAuthErrorCode =
  | "invalid_request"
  | "invalid_client"
  | "invalid_grant"
  | "unauthorized_client"
  | "unsupported_grant_type"
  | "unsupported_response_type"
  | "invalid_scope"
  | "invalid_target"
  | "access_denied"
  | "authorization_pending"
  | "slow_down"
  | "expired_token"
  | "server_error"
  | "temporarily_unavailable"
  | "interaction_required"
  | "login_required"
  | "consent_required"
  | "account_selection_required"
  | "unmet_authentication_requirements"
  | "request_not_supported"
  | "invalid_request_object"
  | "request_uri_not_supported"
  | "invalid_request_uri"
  | "invalid_token"
  | "invalid_dpop_proof"
  | "use_dpop_nonce"
  | "insufficient_scope"
  | "invalid_client_metadata"
  | "invalid_redirect_uri";

/**
 * A refusal in the protocol's terms. The description is for developers: English, printable ASCII without quotes (RFC
 * 6749 §5.2). It never reveals what an unauthenticated caller must not learn.
 */
export class OAuthError extends Error {
  override readonly name = "OAuthError";
  readonly code: OAuthErrorCode;
  readonly description: string;
  /** Seconds after which the same request may succeed; such a refusal is a 429. */
  readonly retryAfter: number | undefined;
  /** Address of an explanation for people (RFC 6749 §4.1.2.1). */
  readonly uri: string | undefined;

  constructor(
    code: OAuthErrorCode,
    description: string,
    options: { readonly cause?: unknown; readonly retryAfter?: number; readonly uri?: string | undefined } = {},
  ) {
    super(`${code}: ${description}`, { cause: options.cause });
    this.code = code;
    this.retryAfter = options.retryAfter;
    this.uri = options.uri;
    this.description = description.replace(/[^\x20\x21\x23-\x5b\x5d-\x7e]/g, "?").slice(0, 300);
  }
}
