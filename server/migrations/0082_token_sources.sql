-- What was exchanged rests on the very token that was presented, and not only on its family: revoking that token ends it. A check cannot be changed
-- in place on both engines, so the table is made anew.
create table token_family_sources_by_token (
  instance_id text not null,
  family_id text not null,
  kind text not null check (kind in ('family', 'access_token', 'personal_access_token', 'session', 'user')),
  source_id text not null,
  -- End of the family.
  expires_at bigint not null,
  primary key (instance_id, family_id, kind, source_id)
);
insert into token_family_sources_by_token (instance_id, family_id, kind, source_id, expires_at)
  select instance_id, family_id, kind, source_id, expires_at from token_family_sources;
drop table token_family_sources;
alter table token_family_sources_by_token rename to token_family_sources;
create index token_family_sources_by_expiry on token_family_sources (expires_at);
