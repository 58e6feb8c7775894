import type { Table } from "./table.ts";

/** The instance itself: hosts, settings, texts, providers, organizations, keys. */
export const instanceTables = [
  {
    name: "instances",
    key: "instance_id",
    columns: `instance_id, name, state, default_language, default_organization_id, system_project_id, setup_completed_at,
      sequence, created_at, changed_at`,
  },
  {
    name: "instance_limits",
    key: "instance_id",
    columns: "instance_id, audit_log_retention, is_blocked, sequence, created_at, changed_at",
  },
  {
    name: "instance_domains",
    key: "instance_id, host, is_trusted",
    columns: "instance_id, host, is_primary, is_generated, is_trusted, created_at",
  },
  {
    name: "identifiers",
    key: "instance_id, identifier",
    columns: "instance_id, identifier, kind",
  },
  {
    name: "features",
    key: "instance_id, level",
    columns: "instance_id, level, flags, sequence, created_at, changed_at",
  },
  {
    name: "settings",
    key: "instance_id, organization_id, kind",
    columns: "instance_id, organization_id, kind, document, sequence, created_at, changed_at",
  },
  {
    name: "milestones",
    key: "instance_id, type",
    columns: "instance_id, type, reached_at",
  },
  {
    name: "quotas",
    key: "instance_id, unit",
    columns: `instance_id, unit, quota_id, begins_at, reset_interval, amount, is_limited, notifications, sequence,
      created_at, changed_at`,
  },
  {
    name: "quota_usage",
    key: "instance_id, unit, period_start",
    columns: "instance_id, unit, period_start, used",
  },
  {
    name: "quota_sharers",
    key: "instance_id, unit, period_start",
    columns: "instance_id, unit, period_start, organization_ids",
  },
  {
    name: "quota_shares",
    key: "instance_id, unit, period_start, organization_id",
    columns: "instance_id, unit, period_start, organization_id, used",
  },
  {
    name: "quota_notifications",
    key: "instance_id, unit, period_start, notification_id, threshold",
    columns: `instance_id, unit, period_start, notification_id, threshold, delivery_id, quota_id, call_url, used, state,
      attempts, next_attempt_at, failure, created_at, changed_at`,
  },
  {
    name: "imported_hash_costs",
    key: "instance_id",
    columns: "instance_id, milliseconds, raised_at",
  },
  {
    name: "organizations",
    key: "instance_id, organization_id",
    columns: `instance_id, organization_id, name, name_key, state, primary_domain, sequence, created_at, changed_at,
      is_deactivated_by_instance, deletion, naming`,
  },
  {
    name: "organization_domains",
    key: "instance_id, organization_id, domain",
    columns: `instance_id, organization_id, domain, is_verified, is_primary, validation_type, validation_token, created_at,
      changed_at, is_proven, unfinished_claim`,
  },
  {
    name: "organization_settings",
    key: "instance_id, organization_id",
    columns: "instance_id, organization_id, is_username_scoped, created_at, changed_at",
  },
  {
    name: "branding_assets",
    key: "instance_id, organization_id, file_name",
    columns: "instance_id, organization_id, file_name, content_type, content, created_at",
  },
  {
    name: "login_translations",
    key: "instance_id, organization_id, locale",
    columns: "instance_id, organization_id, locale, translations, created_at, changed_at",
  },
  {
    name: "message_texts",
    key: "instance_id, organization_id, kind, language",
    columns: "instance_id, organization_id, kind, language, parts, sequence, created_at, changed_at, author",
  },
  {
    name: "message_providers",
    key: "instance_id, provider_id",
    columns: `instance_id, provider_id, channel, kind, state, description, configuration, sealed_secret, sequence,
      created_at, changed_at`,
  },
  {
    name: "identity_providers",
    key: "instance_id, identity_provider_id",
    columns: `instance_id, identity_provider_id, organization_id, kind, name, name_key, state, is_linking_allowed,
      is_creation_allowed, is_auto_creation, is_auto_update, auto_linking, configuration, sealed_secret, sequence,
      created_at, changed_at, speaker, answered_with`,
  },
  {
    name: "signing_keys",
    key: "instance_id, key_id",
    columns: `instance_id, key_id, algorithm, rsa_bits, state, is_successor, public_jwk, private_key, token_lifetime,
      activated_at, deactivated_at, sequence, created_at, changed_at`,
  },
  {
    name: "saml_keys",
    key: "instance_id, key_id",
    columns: `instance_id, key_id, state, certificate, private_key, expires_at, signs_at, sequence, created_at,
      changed_at`,
  },
] as const satisfies readonly Table[];
