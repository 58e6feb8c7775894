import { type Reader, sql, type Tx, text } from "../../database/index.ts";

/** Every table with rows of an instance, except `instances` itself. A test compares it with the migrations. */
export const tablesOfInstances = [
  "flow_scripts",
  "flows",
  "scripts",
  "deliveries",
  "delivery_queues",
  "execution_targets",
  "executions",
  "target_keys",
  "targets",
  "access_tokens",
  "refresh_tokens",
  "authorization_codes",
  "token_families",
  "token_family_sources",
  "sign_ins",
  "sign_in_references",
  "sign_in_attempts",
  "bulk_job_rows",
  "bulk_jobs",
  "setup_links",
  "saved_views",
  "impersonations",
  "logout_notices",
  "session_clients",
  "sessions",
  "auth_requests",
  "consents",
  "pushed_requests",
  "test_sign_ins",
  "answered_references",
  "device_authorizations",
  "device_attempts",
  "budgets",
  "used_assertions",
  "one_time_secrets",
  "notifications",
  "message_providers",
  "identity_providers",
  "personal_access_tokens",
  "user_keys",
  "user_avatars",
  "webauthn_credentials",
  "recovery_codes",
  "user_factors",
  "identity_links",
  "identity_intents",
  "provider_sessions",
  "provider_logouts",
  "authorization_roles",
  "authorizations",
  "authorization_counts",
  "membership_roles",
  "pending_membership_roles",
  "memberships",
  "registrations",
  "registration_projects",
  "application_keys",
  "saml_partners",
  "saml_entity_claims",
  "built_in_applications",
  "application_origins",
  "applications",
  "resources",
  "resource_claims",
  "resource_origins",
  "project_grant_roles",
  "project_grants",
  "project_roles",
  "projects",
  "user_group_members",
  "user_groups",
  "users",
  "event_erasures",
  "user_counts",
  "imported_hash_costs",
  "metadata",
  "settings",
  "branding_assets",
  "message_texts",
  "features",
  "organization_settings",
  "login_translations",
  "signing_keys",
  "saml_keys",
  "organization_domains",
  "organizations",
  "milestones",
  "statistics",
  "active_users",
  "quota_notifications",
  "quota_sharers",
  "quota_shares",
  "quota_usage",
  "quotas",
  "instance_limits",
  "instance_domains",
  "identifiers",
  "events",
] as const;

/**
 * Deletes at most `limit` rows of an instance in a table, and returns how many. Of the instance's events only its
 * deletion stays, for followers of the feed.
 */
export function deleteRowsOfInstance(
  tx: Tx,
  table: (typeof tablesOfInstances)[number],
  limit: number,
): Promise<number> {
  const kept = table === "events" ? sql`and type <> 'instance.deleted'` : text("");
  const rowId = tx.engine === "sqlite" ? text("rowid") : text("ctid");
  return tx.run(sql`delete from ${text(table)} where (instance_id || '') = ${tx.instanceId} and ${rowId} in
    (select ${rowId} from ${text(table)} where instance_id = ${tx.instanceId} ${kept} limit ${limit})`);
}

export async function deleteInstanceRow(tx: Tx): Promise<void> {
  await tx.run(sql`delete from instances where instance_id = ${tx.instanceId} and state = 'removed'`);
}

/** Lists deleted instances that may still have rows. */
export async function listDeletedInstances(reader: Reader): Promise<string[]> {
  const rows = await reader.all<{ instanceId: string }>(sql`select instance_id as "instanceId" from instances
    where state = 'removed'`);
  return rows.map(({ instanceId }) => instanceId);
}
