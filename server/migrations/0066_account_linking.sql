-- Who wants to tie the account at the provider to himself, and was freshly authenticated when he left for it; null for a sign-in.
alter table identity_intents add column link_user_id text;
create index identity_intents_by_link_user on identity_intents (instance_id, link_user_id) where link_user_id is not null;
