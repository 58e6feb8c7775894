-- HTTP endpoints that are called when something happens.
create table targets (
  instance_id text not null,
  target_id text not null,
  name text not null,
  kind text not null check (kind in ('webhook', 'call', 'async')),
  endpoint text not null,
  -- Milliseconds for one call.
  timeout bigint not null,
  -- Whether a call that fails stops what called it.
  is_interrupting integer not null,
  payload_type text not null check (payload_type in ('json', 'jwt', 'jwe')),
  -- Key of the signatures of its calls, sealed.
  signing_key text not null,
  sequence bigint not null,
  created_at bigint not null,
  changed_at bigint not null,
  primary key (instance_id, target_id)
);
create index targets_by_name on targets (instance_id, name, target_id);
create index targets_by_creation on targets (instance_id, created_at, target_id);

-- Public keys that payloads to a target can be encrypted to.
create table target_keys (
  instance_id text not null,
  target_id text not null,
  key_id text not null,
  public_key text not null,
  fingerprint text not null,
  is_active integer not null,
  expires_at bigint,
  created_at bigint not null,
  changed_at bigint not null,
  primary key (instance_id, target_id, key_id)
);
create unique index target_keys_active on target_keys (instance_id, target_id) where is_active = 1;

-- Conditions with the targets that are called when they are met.
create table executions (
  instance_id text not null,
  -- The condition as one text: `request/service.user.v2.UserService/CreateUser`, `event/user.*`, `function/preuserinfo`.
  execution_id text not null,
  kind text not null check (kind in ('request', 'response', 'event', 'function')),
  -- The namespace word that whoever set it used for ours.
  word text not null,
  -- Sequence of the event that set it first: events before that one are none of its business.
  first_sequence bigint not null,
  sequence bigint not null,
  created_at bigint not null,
  changed_at bigint not null,
  primary key (instance_id, execution_id)
);
create index executions_by_kind on executions (kind);

create table execution_targets (
  instance_id text not null,
  execution_id text not null,
  place integer not null,
  target_id text not null,
  primary key (instance_id, execution_id, place)
);
create unique index execution_targets_by_target on execution_targets (instance_id, target_id, execution_id);
