import type { Table } from "./table.ts";

/** Sessions, requests, tokens, queues, budgets and history. */
export const sessionTables = [
  {
    name: "sessions",
    key: "instance_id, session_id",
    columns: `instance_id, session_id, token_hash, user_id, organization_id, creator_id, browser_hash, user_checked_at,
      password_checked_at, factors, metadata, user_agent, user_agent_fingerprint, expires_at, terminated_at,
      sequence, created_at, changed_at, prepared_by`,
  },
  {
    name: "session_clients",
    key: "instance_id, session_id, client_id",
    columns: "instance_id, session_id, client_id, expires_at, name_id",
  },
  {
    name: "auth_requests",
    key: "instance_id, auth_request_id",
    columns: `instance_id, auth_request_id, client_id, application_id, browser_hash, former_browser_hash, parameters,
      session_id, created_at, expires_at, answered_at, response, response_key_hash, declined_at,
      consented_session_id, impersonation_id`,
  },
  {
    name: "pushed_requests",
    key: "instance_id, reference_hash",
    columns: "instance_id, reference_hash, client_id, parameters, created_at, expires_at",
  },
  {
    name: "test_sign_ins",
    key: "instance_id, test_id",
    columns: `instance_id, test_id, application_id, client_id, user_id, session_id, parameters, answer, created_at,
      expires_at`,
  },
  {
    name: "impersonations",
    key: "instance_id, impersonation_id",
    columns: `instance_id, impersonation_id, user_id, organization_id, actor_id, actor_organization_id, session_id,
      application_id, client_id, reason, created_at, expires_at, ended_at`,
  },
  {
    name: "authorization_codes",
    key: "instance_id, code_hash",
    columns: `instance_id, code_hash, client_id, auth_request_id, issuance, created_at, expires_at, consumed_at, family_id,
      user_id`,
  },
  {
    name: "device_authorizations",
    key: "instance_id, device_authorization_id",
    columns: `instance_id, device_authorization_id, client_id, application_id, device_code_hash, user_code_hash,
      user_code_sealed, scope, state, requested_from, browser_hash, user_id, session_id, auth_time,
      authentication_methods, polling_interval, polled_at, created_at, expires_at, sequence, resources`,
  },
  {
    name: "token_families",
    key: "instance_id, family_id",
    columns: `instance_id, family_id, client_id, application_id, project_id, user_id, session_id, scope, audience,
      auth_time, authentication_methods, nonce, actor, created_at, expires_at, revoked_at, sequence,
      exchanged_format, key_thumbprint, claims, acr, credential_expires_at`,
  },
  {
    name: "token_family_sources",
    key: "instance_id, family_id, kind, source_id",
    columns: "instance_id, family_id, kind, source_id, expires_at",
  },
  {
    name: "access_tokens",
    key: "instance_id, token_id",
    columns: `instance_id, token_id, format, family_id, scope, audience, created_at, expires_at, revoked_at,
      key_thumbprint`,
  },
  {
    name: "refresh_tokens",
    key: "instance_id, token_hash",
    columns: `instance_id, token_hash, family_id, access_token_id, created_at, expires_at, consumed_at, revoked_at,
      successor`,
  },
  {
    name: "consents",
    key: "instance_id, user_id, client_id",
    columns: "instance_id, user_id, client_id, scope, sequence, created_at, changed_at, author",
  },
  {
    name: "sign_ins",
    key: "instance_id, browser_hash, auth_request_id",
    columns: `instance_id, browser_hash, auth_request_id, state, login_name, user_id, problem, way_id, factors,
      sealed_sign_up, expires_at, sign_in_epoch`,
  },
  {
    name: "sign_in_attempts",
    key: "instance_id, attempt_id",
    columns: `instance_id, attempt_id, user_id, organization_id, client_id, session_id, result, reference, source, browser,
      system, steps, started_at, changed_at, has_failed`,
  },
  {
    name: "sign_in_references",
    key: "instance_id, reference, attempt_id",
    columns: "instance_id, reference, attempt_id",
  },
  {
    name: "bulk_jobs",
    key: "instance_id, job_id",
    columns: `instance_id, job_id, organization_id, creator_id, creator, action, arguments, is_dry_run, state, reason, total,
      succeeded, failed, sequence, created_at, changed_at, started_at, ended_at, claimed_by, claimed_until, worked_at,
      is_cleared, token_id`,
  },
  {
    name: "bulk_job_rows",
    key: "instance_id, job_id, position",
    columns:
      "instance_id, job_id, position, user_id, outcome, attempt, error_id, error_message, settled_at, created_at",
  },
  {
    name: "setup_links",
    key: "instance_id, link_id",
    columns: `instance_id, link_id, organization_id, creator_id, creator_token_id, parts, code_hash, session_hash,
      session_expires_at, opened_at, expires_at, revoked_at, finished_at, identity_provider_id, sequence, created_at,
      changed_at`,
  },
  {
    name: "identity_intents",
    key: "instance_id, intent_id",
    columns: `instance_id, intent_id, identity_provider_id, state, state_hash, browser_hash, auth_request_id, success_url,
      failure_url, redirect_uri, sealed_request, token_hash, external_user_id, external_username, sealed_identity,
      retriever_id, created_at, expires_at, sequence, device_authorization_id, state_spent_at, failure, wants_link,
      sealed_answer, goal, organization_id, link_user_id, speaker, starter_id`,
  },
  {
    name: "provider_sessions",
    key: "instance_id, intent_id",
    columns: `instance_id, intent_id, identity_provider_id, speaker, user_id, name_id, name_id_values, session_index,
      created_at, expires_at, session_id, ended_at`,
  },
  {
    name: "provider_logouts",
    key: "instance_id, state_hash",
    columns: "instance_id, state_hash, identity_provider_id, target, expires_at",
  },
  {
    name: "one_time_secrets",
    key: "instance_id, kind, subject_id",
    columns: "instance_id, kind, subject_id, secret_hash, bound, failed_attempts, created_at, expires_at, consumed_at",
  },
  {
    name: "notifications",
    key: "instance_id, notification_id",
    columns: `instance_id, notification_id, kind, channel, user_id, organization_id, recipient, language, sealed_values,
      state, attempts, next_attempt_at, last_error, created_at, expires_at, changed_at, subject_id, handed_over_at,
      is_notice`,
  },
  {
    name: "deliveries",
    key: "instance_id, target_id, number",
    columns: `instance_id, target_id, number, lane, subject, aggregate_type, aggregate_id, event_sequence, payload, state,
      attempts, next_attempt_at, failure, created_at, settled_at`,
  },
  {
    name: "delivery_queues",
    key: "instance_id, target_id",
    columns: "instance_id, target_id, newest, due_at, holder, paused_until, failures",
  },
  {
    name: "logout_notices",
    key: "instance_id, session_id, client_id",
    columns: `instance_id, session_id, client_id, user_id, owner_id, attempts, next_attempt_at, created_at, failure,
      name_id, organization_id, is_of_stranger`,
  },
  {
    name: "budgets",
    key: "instance_id, budget, subject",
    columns: "instance_id, budget, subject, restored_at",
  },
  {
    name: "device_attempts",
    key: "instance_id, source",
    columns: "instance_id, source, attempts, expires_at",
  },
  {
    name: "used_assertions",
    key: "instance_id, kind, issuer, assertion_hash",
    columns: "instance_id, kind, issuer, assertion_hash, expires_at",
  },
  {
    name: "answered_references",
    key: "instance_id, reference_hash",
    columns: "instance_id, reference_hash, expires_at",
  },
  {
    name: "statistics",
    key: "instance_id, organization_id, granularity, bucket_start, name",
    columns: "instance_id, organization_id, granularity, bucket_start, name, amount",
  },
  {
    name: "active_users",
    key: "instance_id, user_id, granularity, bucket_start",
    columns: "instance_id, user_id, granularity, bucket_start, expires_at",
  },
  {
    name: "feed_cursors",
    key: "follower",
    columns: "follower, position, changed_at",
  },
  {
    name: "events",
    key: "position",
    columns: `instance_id, aggregate_type, aggregate_id, sequence, type, owner_id, payload, editor_user_id,
      editor_client_id, request_id, created_at, position, source`,
  },
] as const satisfies readonly Table[];
