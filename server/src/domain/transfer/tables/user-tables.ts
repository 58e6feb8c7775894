import type { Table } from "./table.ts";

/** Users, what they sign in with, what they saved, and groups. */
export const userTables = [
  {
    name: "users",
    key: "instance_id, user_id",
    columns: `instance_id, user_id, organization_id, kind, state, username, username_key, preferred_login_name,
      login_name_key, display_name, sequence, created_at, changed_at, given_name, family_name, nick_name,
      preferred_language, gender, avatar_key, email, email_key, is_email_verified, phone, is_phone_verified,
      password_hash, password_changed_at, is_password_change_required, failed_password_checks,
      last_password_check_at, password_blocked_at, second_factor_skipped_at, description, access_token_format,
      secret_hash, avatar_file, email_proof, phone_proof, email_verified_at, email_proven_at, phone_verified_at,
      is_email_proof_wide, is_phone_proof_wide, username_set_at, is_username_own_choice, password_author,
      email_author, phone_author, former_second_factor_since, former_second_factor_until, sign_in_epoch,
      sign_ins_ended_at, told_of_domain`,
  },
  {
    name: "user_avatars",
    key: "instance_id, user_id",
    columns: "instance_id, user_id, file_name, content_type, content, created_at",
  },
  {
    name: "user_factors",
    key: "instance_id, user_id, kind",
    columns: `instance_id, user_id, kind, state, sealed_secret, last_time_step, failed_checks, blocked_at, ready_at,
      created_at, changed_at`,
  },
  {
    name: "recovery_codes",
    key: "instance_id, user_id, code_hash",
    columns: "instance_id, user_id, code_hash, created_at",
  },
  {
    name: "webauthn_credentials",
    key: "instance_id, credential_id",
    columns: `instance_id, credential_id, user_id, kind, state, name, relying_party_id, webauthn_id, public_key,
      sign_count, transports, aaguid, created_at, changed_at, expires_at, author, is_from_message, is_beside_own`,
  },
  {
    name: "user_keys",
    key: "instance_id, key_id",
    columns: "instance_id, key_id, user_id, public_key, expires_at, sequence, created_at, changed_at",
  },
  {
    name: "personal_access_tokens",
    key: "instance_id, token_id",
    columns: "instance_id, token_id, token_hash, user_id, scope, expires_at, sequence, created_at, changed_at",
  },
  {
    name: "identity_links",
    key: "instance_id, identity_provider_id, external_user_id, speaker, asserted_in",
    columns: `instance_id, identity_provider_id, speaker, external_user_id, asserted_in, user_id, external_username,
      created_at, changed_at, author, is_yielding`,
  },
  {
    name: "event_erasures",
    key: "instance_id, user_id",
    columns: "instance_id, user_id, erased_to",
  },
  {
    name: "metadata",
    key: "instance_id, owner_type, owner_id, metadata_key",
    columns: "instance_id, owner_type, owner_id, metadata_key, metadata_value, created_at, changed_at",
  },
  {
    name: "user_groups",
    key: "instance_id, group_id",
    columns: "instance_id, group_id, organization_id, name, name_key, description, sequence, created_at, changed_at",
  },
  {
    name: "user_group_members",
    key: "instance_id, group_id, user_id",
    columns: "instance_id, group_id, user_id, created_at",
  },
  {
    name: "saved_views",
    key: "instance_id, user_id, view_id",
    columns: "instance_id, user_id, view_id, list, name, search, created_at, changed_at",
  },
] as const satisfies readonly Table[];
