-- Format of access tokens of a family that came from a token exchange (RFC 8693): it stays the one that was asked for, like the audience. Null
-- for families of other grants.
alter table token_families add column exchanged_format text;

-- What a family that came from a token exchange rests on, all the way up: when one of these ends, so do its tokens.
create table token_family_sources (
  instance_id text not null,
  family_id text not null,
  kind text not null check (kind in ('family', 'personal_access_token', 'session', 'user')),
  source_id text not null,
  -- End of the family.
  expires_at bigint not null,
  primary key (instance_id, family_id, kind, source_id)
);
create index token_family_sources_by_expiry on token_family_sources (expires_at);
