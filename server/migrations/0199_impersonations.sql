-- Administrators who sign in to one application as a user, for a while. Removed 30 days after their end.
create table impersonations (
  instance_id text not null,
  impersonation_id text not null,
  -- The user, and their organization.
  user_id text not null,
  organization_id text not null,
  -- The administrator, and the session whose browser alone can use it.
  actor_id text not null,
  actor_organization_id text not null,
  session_id text not null,
  application_id text not null,
  client_id text not null,
  reason text not null,
  created_at bigint not null,
  expires_at bigint not null,
  -- When it was ended before that.
  ended_at bigint,
  primary key (instance_id, impersonation_id)
);
create index impersonations_by_session on impersonations (instance_id, session_id, client_id);
create index impersonations_by_user on impersonations (instance_id, user_id);
create index impersonations_by_actor on impersonations (instance_id, actor_id);
create index impersonations_by_end on impersonations (expires_at);

-- The impersonation that the administrator chose to answer with.
alter table auth_requests add column impersonation_id text;
