-- Links with which the customer of an administrator sets up parts of one organization, without an account. Removed 30
-- days after their end.
create table setup_links (
  instance_id text not null,
  link_id text not null,
  organization_id text not null,
  -- The administrator in whose name everything is done, as long as they may do it themselves.
  creator_id text not null,
  -- JSON: what may be set up.
  parts text not null,
  code_hash text not null,
  -- The one browser that opened the link.
  session_hash text,
  session_expires_at bigint,
  opened_at bigint,
  expires_at bigint not null,
  revoked_at bigint,
  -- The provider that was added with the link, and the only one that it reaches.
  identity_provider_id text,
  sequence bigint not null,
  created_at bigint not null,
  changed_at bigint not null,
  primary key (instance_id, link_id)
);
create unique index setup_links_by_code on setup_links (instance_id, code_hash);
create unique index setup_links_by_session on setup_links (instance_id, session_hash) where session_hash is not null;
create index setup_links_by_organization on setup_links (instance_id, organization_id, created_at, link_id);
create index setup_links_by_end on setup_links (expires_at);
