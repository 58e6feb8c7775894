-- The administrators of each organization may say whose an account at a provider of the instance is, and one organization's word keeps no other
-- from giving its own. `asserted_in` is empty where the link counts in the whole instance.
create table identity_links_by_word (
  instance_id text not null,
  identity_provider_id text not null,
  speaker text not null,
  external_user_id text not null,
  asserted_in text not null default '',
  user_id text not null,
  external_username text not null,
  created_at bigint not null,
  changed_at bigint not null,
  primary key (instance_id, identity_provider_id, external_user_id, speaker, asserted_in)
);
insert into identity_links_by_word (instance_id, identity_provider_id, speaker, external_user_id, asserted_in, user_id, external_username, created_at, changed_at)
  select instance_id, identity_provider_id, speaker, external_user_id, coalesce(asserted_in, ''), user_id, external_username, created_at, changed_at from identity_links;
drop table identity_links;
alter table identity_links_by_word rename to identity_links;
create index identity_links_by_user on identity_links (instance_id, user_id, created_at);
