import type { JwtRefusal } from "../../base/jose/index.ts";
import type { OutboundFailure } from "../../base/outbound/index.ts";

/** Why a provider, or what it answered, was not believed. */
export type ProviderRefusal =
  /** It could not be reached, or gave no answer that we take. */
  | "unreachable"
  /** What it says of itself does not fit what is configured. */
  | "discovery_invalid"
  /** It does not take the code, or us. */
  | "code_refused"
  | "answer_malformed"
  /** The answer names another issuer than the provider that was asked (RFC 9207). */
  | "issuer_mismatch"
  | "token_refused"
  /** Userinfo speaks of somebody else than the id token. */
  | "subject_mismatch"
  /** It does not say who the person is. */
  | "subject_missing";

type RefusalDetail = JwtRefusal | OutboundFailure | "nonce" | "at_hash" | "auth_time" | "tenant" | `status ${number}`;

/** A sign-in that comes to nothing. Neither message nor cause holds anything that the provider sent. */
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
