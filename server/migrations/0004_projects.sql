create table projects (
  instance_id text not null,
  project_id text not null,
  organization_id text not null,
  name text not null,
  name_key text not null,
  state text not null check (state in ('active', 'inactive')),
  -- "assert roles on authentication": act as if all roles of the own project had been asked for.
  is_role_assertion_on integer not null,
  -- Signing in to an application of the project needs a role in it.
  is_authorization_required integer not null,
  -- Signing in needs the user's organization to own the project or to have been granted it.
  is_project_access_required integer not null,
  private_labeling text not null,
  sequence bigint not null,
  created_at bigint not null,
  changed_at bigint not null,
  primary key (instance_id, project_id)
);
create unique index projects_by_name on projects (instance_id, organization_id, name_key);
create index projects_by_creation on projects (instance_id, created_at, project_id);
create index projects_by_organization on projects (instance_id, organization_id, created_at, project_id);

create table project_roles (
  instance_id text not null,
  project_id text not null,
  role_key text not null,
  display_name text not null,
  role_group text not null,
  created_at bigint not null,
  changed_at bigint not null,
  primary key (instance_id, project_id, role_key)
);

-- A project lent to another organization, with some of its roles.
create table project_grants (
  instance_id text not null,
  grant_id text not null,
  project_id text not null,
  organization_id text not null,
  granted_organization_id text not null,
  state text not null check (state in ('active', 'inactive')),
  sequence bigint not null,
  created_at bigint not null,
  changed_at bigint not null,
  primary key (instance_id, grant_id)
);
create unique index project_grants_by_organization on project_grants (instance_id, project_id, granted_organization_id);
create index project_grants_by_granted on project_grants (instance_id, granted_organization_id, project_id);
create index project_grants_by_owner on project_grants (instance_id, organization_id, created_at, grant_id);
create index project_grants_by_creation on project_grants (instance_id, created_at, grant_id);

create table project_grant_roles (
  instance_id text not null,
  grant_id text not null,
  role_key text not null,
  primary key (instance_id, grant_id, role_key)
);

create table applications (
  instance_id text not null,
  application_id text not null,
  project_id text not null,
  organization_id text not null,
  name text not null,
  name_key text not null,
  state text not null check (state in ('active', 'inactive')),
  kind text not null check (kind in ('oidc', 'api', 'saml')),
  -- Null for SAML applications, which are found by entity id.
  client_id text,
  secret_hash text,
  -- The type-specific configuration, JSON; read and written as a whole by domain/application.
  configuration text not null,
  sequence bigint not null,
  created_at bigint not null,
  changed_at bigint not null,
  primary key (instance_id, application_id)
);
create unique index applications_by_name on applications (instance_id, project_id, name_key);
create unique index applications_by_client on applications (instance_id, client_id);
create index applications_by_creation on applications (instance_id, created_at, application_id);
create index applications_by_organization on applications (instance_id, organization_id, created_at, application_id);

-- Public keys with which applications sign client assertions (private_key_jwt).
create table application_keys (
  instance_id text not null,
  key_id text not null,
  application_id text not null,
  public_key text not null,
  expires_at bigint not null,
  created_at bigint not null,
  primary key (instance_id, key_id)
);
create index application_keys_by_application on application_keys (instance_id, application_id, created_at, key_id);
