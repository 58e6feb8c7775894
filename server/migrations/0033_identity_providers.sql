-- Servers of others whose word about who somebody is counts here.
create table identity_providers (
  instance_id text not null,
  identity_provider_id text not null,
  -- Whose it is. Empty when it belongs to the instance, and all organizations may use it.
  organization_id text not null,
  kind text not null,
  name text not null,
  -- The form in which names are ordered.
  name_key text not null,
  state text not null check (state in ('active', 'inactive')),
  is_linking_allowed integer not null,
  is_creation_allowed integer not null,
  is_auto_creation integer not null,
  is_auto_update integer not null,
  auto_linking text not null check (auto_linking in ('none', 'username', 'email')),
  -- What the kind needs and is no secret, JSON.
  configuration text not null,
  -- The secret of our client there, encrypted by the vault. Null when the kind has none.
  sealed_secret text,
  -- Counted by the instance or the organization that owns it.
  sequence bigint not null,
  created_at bigint not null,
  changed_at bigint not null,
  primary key (instance_id, identity_provider_id)
);
create index identity_providers_by_creation
  on identity_providers (instance_id, organization_id, created_at, identity_provider_id);
create index identity_providers_by_name on identity_providers (instance_id, organization_id, name_key, identity_provider_id);
