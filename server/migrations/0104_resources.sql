-- Resources (RFC 8707): what takes access tokens. Scopes and applications are JSON, read and written as a whole by domain/resource.
create table resources (
  instance_id text not null,
  resource_id text not null,
  project_id text not null,
  organization_id text not null,
  -- As it is in the audience of tokens.
  uri text not null,
  -- The same for every spelling.
  uri_key text not null,
  name text not null,
  name_key text not null,
  scopes text not null,
  token_format text not null check (token_format in ('opaque', 'jwt')),
  -- Seconds; 0 for that of the instance.
  access_token_lifetime bigint not null,
  -- Ids of the API applications that may introspect; all of the project when empty.
  applications text not null,
  state text not null check (state in ('active', 'inactive')),
  sequence bigint not null,
  created_at bigint not null,
  changed_at bigint not null,
  primary key (instance_id, resource_id)
);
create unique index resources_by_uri on resources (instance_id, uri_key);
create index resources_by_project on resources (instance_id, project_id, created_at, resource_id);
create index resources_by_organization on resources (instance_id, organization_id, created_at, resource_id);
create index resources_by_creation on resources (instance_id, created_at, resource_id);

-- Every URI that was ever a resource, and of which organization: it stays theirs when the resource, the project or the organization is deleted,
-- because APIs keep trusting tokens that name it.
create table resource_claims (
  instance_id text not null,
  -- Without regard to case and a slash at the end: what people and careless parsers take for the same.
  claim_key text not null,
  organization_id text not null,
  origin text not null,
  primary key (instance_id, claim_key)
);
create index resource_claims_by_origin on resource_claims (instance_id, origin, claim_key);

-- One row for each origin: what claims there waits for it, so that no two URIs that lie inside one another are claimed at once.
create table resource_origins (
  instance_id text not null,
  origin text not null,
  primary key (instance_id, origin)
);

-- The resources that a device asked for, divided by spaces.
alter table device_authorizations add column resources text not null default '';
