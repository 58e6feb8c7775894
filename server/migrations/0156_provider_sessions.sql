-- Sessions at SAML providers with which users signed in here: what a logout, there or here, names them by. A row is written when the
-- provider answers an attempt; sessions keep the id of the attempt.
create table provider_sessions (
  instance_id text not null,
  intent_id text not null,
  identity_provider_id text not null,
  speaker text not null,
  -- The user who signed in with it; null until then.
  user_id text,
  -- The name identifier as the provider wrote it.
  name_id text not null,
  name_id_values text not null,
  session_index text,
  created_at bigint not null,
  expires_at bigint not null,
  primary key (instance_id, intent_id)
);
create index provider_sessions_by_name on provider_sessions (instance_id, identity_provider_id, name_id);
create index provider_sessions_by_user on provider_sessions (instance_id, user_id) where user_id is not null;
create index provider_sessions_by_expiry on provider_sessions (expires_at);

-- Logouts for which a browser was sent to a provider, and where it goes afterwards.
create table provider_logouts (
  instance_id text not null,
  state_hash text not null,
  identity_provider_id text not null,
  target text not null,
  expires_at bigint not null,
  primary key (instance_id, state_hash)
);
create index provider_logouts_by_provider on provider_logouts (instance_id, identity_provider_id);
create index provider_logouts_by_expiry on provider_logouts (expires_at);
