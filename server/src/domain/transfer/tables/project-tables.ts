import type { Table } from "./table.ts";

/** Projects, applications, resources, roles, actions and scripts. */
export const projectTables = [
  {
    name: "projects",
    key: "instance_id, project_id",
    columns: `instance_id, project_id, organization_id, name, name_key, state, is_role_assertion_on,
      is_authorization_required, is_project_access_required, private_labeling, sequence, created_at, changed_at`,
  },
  {
    name: "project_roles",
    key: "instance_id, project_id, role_key",
    columns: "instance_id, project_id, role_key, display_name, role_group, created_at, changed_at",
  },
  {
    name: "project_grants",
    key: "instance_id, grant_id",
    columns: `instance_id, grant_id, project_id, organization_id, granted_organization_id, state, sequence, created_at,
      changed_at, is_recognized`,
  },
  {
    name: "project_grant_roles",
    key: "instance_id, grant_id, role_key",
    columns: "instance_id, grant_id, role_key",
  },
  {
    name: "applications",
    key: "instance_id, application_id",
    columns: `instance_id, application_id, project_id, organization_id, name, name_key, state, kind, client_id,
      secret_hash, configuration, sequence, created_at, changed_at, initiates_login, requires_consent`,
  },
  {
    name: "application_keys",
    key: "instance_id, key_id",
    columns: "instance_id, key_id, application_id, public_key, expires_at, created_at",
  },
  {
    name: "application_origins",
    key: "instance_id, application_id, origin",
    columns: "instance_id, application_id, origin, organization_id",
  },
  {
    name: "built_in_applications",
    key: "instance_id, name",
    columns: "instance_id, name, application_id",
  },
  {
    name: "saml_partners",
    key: "instance_id, entity_id",
    columns: "instance_id, entity_id, application_id, client_id, refresh_at",
  },
  {
    name: "saml_entity_claims",
    key: "instance_id, entity_id",
    columns: "instance_id, entity_id, organization_id",
  },
  {
    name: "registrations",
    key: "instance_id, client_id",
    columns: `instance_id, client_id, application_id, organization_id, kind, token_hash, client_name, metadata, source,
      expires_at, used_at, sequence, created_at, last_used_at, has_own_addresses, registrar_id,
      token_sequence, token_issued_at`,
  },
  {
    name: "registration_projects",
    key: "instance_id, organization_id",
    columns: "instance_id, organization_id, project_id",
  },
  {
    name: "resources",
    key: "instance_id, resource_id",
    columns: `instance_id, resource_id, project_id, organization_id, uri, uri_key, name, name_key, scopes, token_format,
      access_token_lifetime, applications, state, sequence, created_at, changed_at`,
  },
  {
    name: "resource_claims",
    key: "instance_id, claim_key",
    columns: "instance_id, claim_key, organization_id, origin",
  },
  {
    name: "resource_origins",
    key: "instance_id, origin",
    columns: "instance_id, origin",
  },
  {
    name: "memberships",
    key: "instance_id, level, resource_id, user_id",
    columns: "instance_id, level, resource_id, user_id, organization_id, sequence, created_at, changed_at, accepted_at",
  },
  {
    name: "membership_roles",
    key: "instance_id, user_id, level, resource_id, role",
    columns: "instance_id, level, resource_id, user_id, role",
  },
  {
    name: "pending_membership_roles",
    key: "instance_id, user_id, level, resource_id, role",
    columns: "instance_id, level, resource_id, user_id, role",
  },
  {
    name: "authorizations",
    key: "instance_id, authorization_id",
    columns: `instance_id, authorization_id, user_id, project_id, organization_id, project_grant_id, state, sequence,
      created_at, changed_at, group_id, user_organization_id`,
  },
  {
    name: "authorization_roles",
    key: "instance_id, authorization_id, role_key",
    columns: "instance_id, authorization_id, role_key",
  },
  {
    name: "targets",
    key: "instance_id, target_id",
    columns: `instance_id, target_id, name, kind, endpoint, timeout, is_interrupting, payload_type, signing_key, sequence,
      created_at, changed_at`,
  },
  {
    name: "target_keys",
    key: "instance_id, target_id, key_id",
    columns: "instance_id, target_id, key_id, public_key, fingerprint, is_active, expires_at, created_at, changed_at",
  },
  {
    name: "executions",
    key: "instance_id, execution_id",
    columns: "instance_id, execution_id, kind, word, first_sequence, sequence, created_at, changed_at",
  },
  {
    name: "execution_targets",
    key: "instance_id, execution_id, place",
    columns: "instance_id, execution_id, place, target_id",
  },
  {
    name: "scripts",
    key: "instance_id, script_id",
    columns: `instance_id, script_id, organization_id, name, name_key, script, timeout, is_allowed_to_fail, state,
      is_by_instance, sequence, created_at, changed_at`,
  },
  {
    name: "flows",
    key: "instance_id, organization_id, flow",
    columns: "instance_id, organization_id, flow, sequence, created_at, changed_at",
  },
  {
    name: "flow_scripts",
    key: "instance_id, organization_id, flow, trigger_name, place",
    columns: "instance_id, organization_id, flow, trigger_name, place, script_id",
  },
] as const satisfies readonly Table[];
