import { OAuthError } from "../../base/oauth-error.ts";
import type { Parameters } from "../parameters.ts";

// RFC 6749 §4.1.1, RFC 7636 §4.3, RFC 8707 §2, RFC 9449 §10, OpenID Connect Core §3.1.2.1, §5.2, §5.5, §6.
const known: ReadonlySet<string> = new Set([
  "client_id",
  "response_type",
  "redirect_uri",
  "scope",
  "state",
  "response_mode",
  "nonce",
  "display",
  "prompt",
  "max_age",
  "ui_locales",
  "claims_locales",
  "id_token_hint",
  "login_hint",
  "acr_values",
  "claims",
  "code_challenge",
  "code_challenge_method",
  "dpop_jkt",
  "resource",
  "request",
  "request_uri",
]);

/** How large a pushed request may be, in bytes: twice what a large one with an id token as its hint has. */
const mostBytes = 32_768;

/** A request that is stored until it is used, and its size. */
export interface KnownRequest {
  readonly parameters: Parameters;
  readonly bytes: number;
}

/**
 * Returns the parameters that a standard defines: an unknown one is ignored (RFC 6749 §3.1), so it need not be stored.
 * Refuses what is too large all the same.
 */
export function keepKnown(sent: Parameters): KnownRequest {
  const parameters = new Map([...sent].filter(([name]) => known.has(name)));
  let bytes = 0;
  for (const [name, value] of parameters) bytes += name.length + Buffer.byteLength(value);
  if (bytes > mostBytes) throw new OAuthError("invalid_request", "the request is too large");
  return { parameters, bytes };
}
