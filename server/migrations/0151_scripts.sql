-- Scripts (actions of the first version): what an organization lets run when its users sign in, are created or get tokens.
create table scripts (
  instance_id text not null,
  script_id text not null,
  organization_id text not null,
  name text not null,
  name_key text not null,
  script text not null,
  -- Milliseconds for one run.
  timeout bigint not null,
  -- Whether what triggered it goes on after a failure.
  is_allowed_to_fail integer not null,
  state text not null check (state in ('active', 'inactive')),
  -- Whether an administrator of the instance wrote it last: then its claims count for readers of all organizations.
  is_by_instance integer not null,
  sequence bigint not null,
  created_at bigint not null,
  changed_at bigint not null,
  primary key (instance_id, script_id)
);
create unique index scripts_by_name on scripts (instance_id, organization_id, name_key);

-- Which scripts of an organization run at which trigger of a flow, in which order.
create table flows (
  instance_id text not null,
  organization_id text not null,
  flow text not null,
  sequence bigint not null,
  created_at bigint not null,
  changed_at bigint not null,
  primary key (instance_id, organization_id, flow)
);
create table flow_scripts (
  instance_id text not null,
  organization_id text not null,
  flow text not null,
  trigger_name text not null,
  place integer not null,
  script_id text not null,
  primary key (instance_id, organization_id, flow, trigger_name, place)
);
create index flow_scripts_by_script on flow_scripts (instance_id, script_id);
