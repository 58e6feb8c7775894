import type { JwtRefusal } from "../../base/jose/index.ts";
import type { LdapFailure } from "../../base/ldap/index.ts";
import type { OutboundError } from "../../base/outbound/index.ts";
import type { SamlRefusal } from "../../base/saml/index.ts";

/** Why a provider, or its answer, was rejected. */
export type ProviderRefusal =
  /** It could not be reached, or its response is not acceptable. */
  | "unreachable"
  /** Its metadata does not match the configuration. */
  | "discovery_invalid"
  /** It rejects the code, or our client. */
  | "code_refused"
  | "answer_malformed"
  /** The answer names another issuer than the provider that was asked (RFC 9207). */
  | "issuer_mismatch"
  | "token_refused"
  /** Userinfo describes another user than the id token. */
  | "subject_mismatch"
  /** It does not identify the user. */
  | "subject_missing"
  /** It reports an error: the user declined, or the provider did. */
  | "denied"
  /** A directory refuses the service account or the search. */
  | "directory_refused"
  /** Several entries of a directory have the entered name. */
  | "several_entries";

/** What is wrong with an answer. */
export type RefusalDetail =
  | JwtRefusal
  | SamlRefusal
  | SamlMismatch
  | OutboundError["shownFailure"]
  | "nonce"
  | "at_hash"
  | "auth_time"
  | "tenant"
  | LdapFailure
  | `status ${number}`
  | `result ${number}`;

/** Which rule an assertion, or what is around it, does not meet. */
type SamlMismatch = "destination" | "in_response_to" | "recipient" | "confirmation" | "time" | "condition";

/** A failed external sign-in. Neither message nor cause contains anything that the provider sent. */
export class ProviderRefused extends Error {
  override readonly name = "ProviderRefused";
  readonly reason: ProviderRefusal;
  readonly detail: RefusalDetail | undefined;

  constructor(reason: ProviderRefusal, detail?: RefusalDetail) {
    super(detail === undefined ? `identity provider: ${reason}` : `identity provider: ${reason} (${detail})`);
    this.reason = reason;
    this.detail = detail;
  }
}
