-- One record for each attempt to sign in, for administrators who are asked why it failed. It is not history (events
-- are): it is removed after 30 days, and with its user.
create table sign_in_attempts (
  instance_id text not null,
  attempt_id text not null,
  -- Null while no user is known.
  user_id text,
  -- That of the user; otherwise of the application or provider where it failed. Null: only for those who administer the
  -- instance.
  organization_id text,
  -- The application that waits; null where none does.
  client_id text,
  -- The session that it led to.
  session_id text,
  result text not null check (result in ('signed_in', 'failed', 'unfinished')),
  -- The id that the user was shown last, or of the last request.
  reference text not null,
  source text,
  browser text,
  system text,
  -- A line of JSON for each step. No secret and no name that was entered.
  steps text not null,
  started_at bigint not null,
  changed_at bigint not null,
  primary key (instance_id, attempt_id)
);
create index sign_in_attempts_by_start on sign_in_attempts (instance_id, started_at, attempt_id);
create index sign_in_attempts_by_user on sign_in_attempts (instance_id, user_id, started_at, attempt_id)
  where user_id is not null;
create index sign_in_attempts_by_organization on sign_in_attempts (instance_id, organization_id, started_at, attempt_id)
  where organization_id is not null;
create index sign_in_attempts_by_reference on sign_in_attempts (instance_id, reference);
create index sign_in_attempts_by_age on sign_in_attempts (started_at);
