-- Attempts to sign in at an identity provider: one row from the start to the session that it opened, an hour after the provider answered at most.
create table identity_intents (
  instance_id text not null,
  intent_id text not null,
  identity_provider_id text not null,
  state text not null check (state in ('started', 'succeeded', 'failed', 'consumed')),
  -- Hash of the `state` that the browser brings back; null once it has.
  state_hash text,
  -- Hash of the secret of the browser that may come back, where it is one of ours: the attempt belongs to the hosted login.
  browser_hash text,
  -- What the browser signs in for; null when no application waits.
  auth_request_id text,
  -- Where an application wants the browser to be sent; null in the hosted login.
  success_url text,
  failure_url text,
  redirect_uri text not null,
  -- Nonce and code verifier, encrypted by the vault.
  sealed_request text not null,
  -- Hash of the token that proves the attempt.
  token_hash text,
  external_user_id text,
  external_username text,
  -- What the provider said, with its tokens, encrypted by the vault.
  sealed_identity text,
  -- Who read what the provider said, with the token: the account is his own.
  retriever_id text,
  created_at bigint not null,
  expires_at bigint not null,
  sequence bigint not null,
  primary key (instance_id, intent_id)
);
create unique index identity_intents_by_state on identity_intents (instance_id, state_hash);
create index identity_intents_by_provider on identity_intents (instance_id, identity_provider_id);
create index identity_intents_by_retriever on identity_intents (instance_id, retriever_id) where retriever_id is not null;
create index identity_intents_by_browser on identity_intents (instance_id, browser_hash) where browser_hash is not null;
create index identity_intents_by_expiry on identity_intents (expires_at);
