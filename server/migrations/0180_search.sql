-- The search over everything finds the beginning of a name in the whole instance. The condition on the id is true of all
-- rows, and only that search states it, so that no other statement uses these indexes.
create index projects_by_any_name on projects (instance_id, name_key, project_id) where (project_id || '') <> '';
create index applications_by_any_name on applications (instance_id, name_key, application_id)
  where (application_id || '') <> '';
create index applications_by_name_within on applications (instance_id, organization_id, name_key, application_id)
  where (application_id || '') <> '';
create index user_groups_by_any_name on user_groups (instance_id, name_key, group_id) where (group_id || '') <> '';
create index identity_providers_by_any_name on identity_providers (instance_id, name_key, identity_provider_id)
  where (identity_provider_id || '') <> '';
-- Service accounts are few among the users, and would be found after all people of the same name.
create index service_accounts_by_name on users (instance_id, replace(lower(display_name), 'ς', 'σ'), user_id)
  where kind = 'machine' and (user_id || '') <> '';
create index service_accounts_by_login_name on users (instance_id, login_name_key, user_id)
  where kind = 'machine' and (user_id || '') <> '';
