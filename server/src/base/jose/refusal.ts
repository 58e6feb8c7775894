/** Why a token was refused. For the log and for tests; callers learn only that it was refused. */
export type JwtRefusal =
  | "too_long"
  | "not_compact"
  | "not_canonical"
  | "header_malformed"
  | "header_forbidden"
  | "payload_malformed"
  | "key_unknown"
  | "algorithm"
  | "type"
  | "signature"
  | "issuer"
  | "subject"
  | "audience"
  | "expiry_missing"
  | "expired"
  | "not_yet_valid"
  | "issued_at_missing"
  | "issued_in_future"
  | "too_old"
  | "lives_too_long"
  | "token_id_missing"
  | "token_id_malformed";

/** Thrown for a token that is not accepted. Contains no part of the token. */
export class JwtRefused extends Error {
  override readonly name = "JwtRefused";
  readonly reason: JwtRefusal;

  constructor(reason: JwtRefusal, options?: ErrorOptions) {
    super(`token refused: ${reason}`, options);
    this.reason = reason;
  }
}
