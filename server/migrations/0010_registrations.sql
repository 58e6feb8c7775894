-- Clients that registered themselves (RFC 7591), beside their rows in applications.
create table registrations (
  instance_id text not null,
  client_id text not null,
  application_id text not null,
  organization_id text not null,
  -- By a token of somebody who may, by anybody, or by the document at the client id.
  kind text not null check (kind in ('token', 'open', 'document')),
  -- Hash of what the newest registration access token seals; null where there is none (kind document).
  token_hash text,
  -- As the client gave it; null when it gave none.
  client_name text,
  -- What is kept for others to read and means nothing to us (client_uri, contacts …), JSON.
  metadata text not null,
  -- Network address of whoever registered, or its /64; null where the quota of sources does not count.
  source text,
  -- One that was never used ends then; null for those that stay.
  expires_at bigint,
  -- When it was first seen to have been used; such a one stays.
  used_at bigint,
  sequence bigint not null,
  created_at bigint not null,
  primary key (instance_id, client_id)
);
create index registrations_by_application on registrations (instance_id, application_id);
create index registrations_unused on registrations (instance_id, source) where expires_at is not null and used_at is null;
create index registrations_by_expiry on registrations (expires_at) where expires_at is not null and used_at is null;

-- The project of an organization in which its registered clients live.
create table registration_projects (
  instance_id text not null,
  organization_id text not null,
  project_id text not null,
  primary key (instance_id, organization_id)
);
