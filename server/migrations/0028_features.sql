-- Feature flags that a level was given: of the whole installation (instance_id empty, resource `system`) and of an instance.
-- A row stays when its flags are removed, so that its sequence goes on.
create table features (
  instance_id text not null,
  level text not null check (level in ('system', 'instance')),
  -- Only the flags that were given, JSON.
  flags text not null,
  sequence bigint not null,
  created_at bigint not null,
  changed_at bigint not null,
  primary key (instance_id, level)
);
