-- Tokens end with the impersonation that they were issued in.
create table token_family_sources_with_impersonations (
  instance_id text not null,
  family_id text not null,
  kind text not null check (kind in ('family', 'access_token', 'personal_access_token', 'session', 'user', 'impersonation')),
  source_id text not null,
  -- End of the family.
  expires_at bigint not null,
  primary key (instance_id, family_id, kind, source_id)
);
insert into token_family_sources_with_impersonations (instance_id, family_id, kind, source_id, expires_at)
  select instance_id, family_id, kind, source_id, expires_at from token_family_sources;
drop table token_family_sources;
alter table token_family_sources_with_impersonations rename to token_family_sources;
create index token_family_sources_by_expiry on token_family_sources (expires_at);
