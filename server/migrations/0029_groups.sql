-- Groups of users of an organization. What is assigned to a group, its users have.
create table user_groups (
  instance_id text not null,
  group_id text not null,
  organization_id text not null,
  name text not null,
  name_key text not null,
  description text not null,
  sequence bigint not null,
  created_at bigint not null,
  changed_at bigint not null,
  primary key (instance_id, group_id)
);
create unique index user_groups_by_name on user_groups (instance_id, organization_id, name_key);
create index user_groups_by_creation on user_groups (instance_id, created_at, group_id);

create table user_group_members (
  instance_id text not null,
  group_id text not null,
  user_id text not null,
  created_at bigint not null,
  primary key (instance_id, group_id, user_id)
);
create index user_group_members_by_user on user_group_members (instance_id, user_id, group_id);
create index user_group_members_by_creation on user_group_members (instance_id, created_at, group_id, user_id);

-- A role assignment is of a user, or of a group: what it is not of is empty.
alter table authorizations add column group_id text not null default '';
drop index authorizations_once;
create unique index authorizations_once
  on authorizations (instance_id, user_id, project_id, organization_id, project_grant_id, group_id);
create index authorizations_by_group on authorizations (instance_id, group_id, project_id) where group_id <> '';
