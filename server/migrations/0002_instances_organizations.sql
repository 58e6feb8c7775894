-- Instances are isolated installations, found by host. Every other table begins with the instance that owns the row.
create table instances (
  instance_id text not null primary key,
  name text not null,
  state text not null check (state in ('active', 'removed')),
  default_language text not null,
  default_organization_id text not null,
  -- The built-in project whose id is the audience of our own APIs.
  system_project_id text not null,
  -- When the first administrator was made. The setup link works only before, and never again after.
  setup_completed_at bigint,
  sequence bigint not null,
  created_at bigint not null,
  changed_at bigint not null
);

-- Hosts that reach an instance. The primary one makes the issuer and the links of the instance.
create table instance_domains (
  instance_id text not null,
  host text not null,
  is_primary integer not null,
  is_generated integer not null,
  -- Trusted hosts may stand in links, but do not find the instance.
  is_trusted integer not null,
  created_at bigint not null,
  primary key (instance_id, host, is_trusted)
);
create unique index instance_domains_by_host on instance_domains (host) where is_trusted = 0;

create table organizations (
  instance_id text not null,
  organization_id text not null,
  name text not null,
  name_key text not null,
  state text not null check (state in ('active', 'inactive')),
  primary_domain text not null,
  sequence bigint not null,
  created_at bigint not null,
  changed_at bigint not null,
  primary key (instance_id, organization_id)
);
create unique index organizations_by_name on organizations (instance_id, name_key);
create index organizations_by_creation on organizations (instance_id, created_at, organization_id);

create table organization_domains (
  instance_id text not null,
  organization_id text not null,
  domain text not null,
  is_verified integer not null,
  is_primary integer not null,
  validation_type text not null check (validation_type in ('none', 'http', 'dns')),
  -- Proof of ownership that the organization publishes; public by nature, so it is stored as it is.
  validation_token text,
  created_at bigint not null,
  changed_at bigint not null,
  primary key (instance_id, organization_id, domain)
);
-- A verified domain belongs to one organization of the instance; anybody may claim an unverified one.
create unique index organization_domains_verified on organization_domains (instance_id, domain) where is_verified = 1;

-- Key and value pairs that operators attach to organizations, users and projects. Values are base64.
create table metadata (
  instance_id text not null,
  owner_type text not null check (owner_type in ('organization', 'user', 'project')),
  owner_id text not null,
  metadata_key text not null,
  metadata_value text not null,
  created_at bigint not null,
  changed_at bigint not null,
  primary key (instance_id, owner_type, owner_id, metadata_key)
);

-- Settings of an instance (organization_id empty) or of an organization that differs from its instance. One document a kind.
-- The sequence is the one that the instance or the organization had after the document was written.
create table settings (
  instance_id text not null,
  organization_id text not null,
  kind text not null,
  document text not null,
  sequence bigint not null,
  created_at bigint not null,
  changed_at bigint not null,
  primary key (instance_id, organization_id, kind)
);
