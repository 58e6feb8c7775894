-- Who speaks with the voice of a provider: a digest of the settings that decide it (issuer, endpoints, keys, client id …). Empty for a provider
-- whose settings have not changed since this was introduced.
alter table identity_providers add column speaker text not null default '';
-- The permissions that the administrator who answers for the settings holds at the owner of the provider, with a space between them. Null where that is unknown: then
-- those who hold a role with the permission to change the provider count.
alter table identity_providers add column answered_with text;

-- A link is of a provider and of the one who spoke with its voice: the same id in the mouth of another is another account.
create table speaking_identity_links (
  instance_id text not null,
  identity_provider_id text not null,
  speaker text not null,
  external_user_id text not null,
  user_id text not null,
  external_username text not null,
  -- The organization whose administrator said whose account it is, at a provider of the instance. Null when the account was proven, or the word
  -- counts in the whole instance.
  asserted_in text,
  created_at bigint not null,
  changed_at bigint not null,
  primary key (instance_id, identity_provider_id, external_user_id, speaker)
);
insert into speaking_identity_links (instance_id, identity_provider_id, speaker, external_user_id, user_id, external_username, created_at, changed_at)
  select instance_id, identity_provider_id, '', external_user_id, user_id, external_username, created_at, changed_at from identity_links;
drop table identity_links;
alter table speaking_identity_links rename to identity_links;
create index identity_links_by_user on identity_links (instance_id, user_id, created_at);

-- The speaker that the browser was sent to. Attempts from before are begun anew.
alter table identity_intents add column speaker text;
