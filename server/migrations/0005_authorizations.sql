-- Administrative positions of users. What the level does not need is the empty string, so that the key works.
create table memberships (
  instance_id text not null,
  level text not null check (level in ('instance', 'organization', 'project', 'project_grant')),
  -- Organization, project or project grant id; the instance id at the instance level.
  resource_id text not null,
  user_id text not null,
  -- Owner of the resource: what the membership is listed under.
  organization_id text not null,
  sequence bigint not null,
  created_at bigint not null,
  changed_at bigint not null,
  primary key (instance_id, level, resource_id, user_id)
);
create index memberships_by_user on memberships (instance_id, user_id);
create index memberships_by_creation on memberships (instance_id, created_at, user_id);

create table membership_roles (
  instance_id text not null,
  level text not null,
  resource_id text not null,
  user_id text not null,
  role text not null,
  primary key (instance_id, user_id, level, resource_id, role)
);
create index membership_roles_by_role on membership_roles (instance_id, role, user_id);

-- Role assignments: one user, one project, one organization, some roles.
create table authorizations (
  instance_id text not null,
  authorization_id text not null,
  user_id text not null,
  project_id text not null,
  -- Organization in which the role was assigned: the project's owner, or the one it was granted to.
  organization_id text not null,
  -- Empty when the assigning organization owns the project.
  project_grant_id text not null,
  state text not null check (state in ('active', 'inactive')),
  sequence bigint not null,
  created_at bigint not null,
  changed_at bigint not null,
  primary key (instance_id, authorization_id)
);
create unique index authorizations_once on authorizations (instance_id, user_id, project_id, organization_id, project_grant_id);
create index authorizations_by_project on authorizations (instance_id, project_id, authorization_id);
create index authorizations_by_organization on authorizations (instance_id, organization_id, created_at, authorization_id);
create index authorizations_by_grant on authorizations (instance_id, project_grant_id, authorization_id);
create index authorizations_by_creation on authorizations (instance_id, created_at, authorization_id);

create table authorization_roles (
  instance_id text not null,
  authorization_id text not null,
  role_key text not null,
  primary key (instance_id, authorization_id, role_key)
);
create index authorization_roles_by_key on authorization_roles (instance_id, role_key, authorization_id);
