/** A column that holds sealed values, and the context that the vault expects for each of them. */
export interface SealedColumn {
  readonly table: string;
  readonly column: string;
  /** Columns of the primary key after `instance_id`. */
  readonly key: readonly [string] | readonly [string, string];
  /** The context of a value: `<table>/<instance>/<these columns>/<part>`. */
  readonly contextKey: string;
  readonly part: string;
}

/** Every column that the vault seals. */
export const sealedColumns = [
  { table: "signing_keys", column: "private_key", key: ["key_id"], contextKey: "key_id", part: "private_key" },
  { table: "saml_keys", column: "private_key", key: ["key_id"], contextKey: "key_id", part: "private_key" },
  {
    table: "message_providers",
    column: "sealed_secret",
    key: ["provider_id"],
    contextKey: "provider_id",
    part: "sealed_secret",
  },
  {
    table: "identity_providers",
    column: "sealed_secret",
    key: ["identity_provider_id"],
    contextKey: "identity_provider_id",
    part: "sealed_secret",
  },
  { table: "user_factors", column: "sealed_secret", key: ["user_id", "kind"], contextKey: "user_id", part: "totp" },
  { table: "targets", column: "signing_key", key: ["target_id"], contextKey: "target_id", part: "signing_key" },
  {
    table: "deliveries",
    column: "payload",
    key: ["target_id", "number"],
    contextKey: "target_id || '/' || lane",
    part: "payload",
  },
  {
    table: "notifications",
    column: "sealed_values",
    key: ["notification_id"],
    contextKey: "notification_id",
    part: "sealed_values",
  },
  {
    table: "device_authorizations",
    column: "user_code_sealed",
    key: ["device_authorization_id"],
    contextKey: "device_authorization_id",
    part: "user_code",
  },
  {
    table: "auth_requests",
    column: "response",
    key: ["auth_request_id"],
    contextKey: "auth_request_id",
    part: "response",
  },
  { table: "refresh_tokens", column: "successor", key: ["token_hash"], contextKey: "token_hash", part: "successor" },
  { table: "identity_intents", column: "sealed_request", key: ["intent_id"], contextKey: "intent_id", part: "request" },
  {
    table: "identity_intents",
    column: "sealed_identity",
    key: ["intent_id"],
    contextKey: "intent_id",
    part: "identity",
  },
  { table: "identity_intents", column: "sealed_answer", key: ["intent_id"], contextKey: "intent_id", part: "answer" },
  {
    table: "sign_ins",
    column: "sealed_sign_up",
    key: ["browser_hash", "auth_request_id"],
    contextKey: "way_id",
    part: "sign_up",
  },
] as const satisfies readonly SealedColumn[];

export type KnownColumn = (typeof sealedColumns)[number];
