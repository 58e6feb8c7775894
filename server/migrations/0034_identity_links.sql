-- Ties between users and the accounts that they have at identity providers.
create table identity_links (
  instance_id text not null,
  identity_provider_id text not null,
  -- Who it is there. With the provider it says who signs in; names and addresses never do.
  external_user_id text not null,
  user_id text not null,
  -- What people recognise the account by.
  external_username text not null,
  created_at bigint not null,
  changed_at bigint not null,
  primary key (instance_id, identity_provider_id, external_user_id)
);
create index identity_links_by_user on identity_links (instance_id, user_id, created_at);
