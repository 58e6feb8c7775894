-- Signed-in browsers and devices, with the factors that were checked and when.
create table sessions (
  instance_id text not null,
  session_id text not null,
  -- Hash of the newest session token; every write replaces it. Null for sessions of the hosted login, which have none.
  token_hash text,
  user_id text,
  organization_id text,
  creator_id text not null,
  -- Hash of the browser's secret, for sessions of the hosted login; null for sessions made by API.
  browser_hash text,
  user_checked_at bigint,
  password_checked_at bigint,
  -- Factors of later kinds (passkey, TOTP …) with their instants, JSON.
  factors text not null,
  metadata text not null,
  user_agent text not null,
  user_agent_fingerprint text,
  expires_at bigint,
  terminated_at bigint,
  sequence bigint not null,
  created_at bigint not null,
  changed_at bigint not null,
  primary key (instance_id, session_id)
);
create index sessions_by_user on sessions (instance_id, user_id, created_at, session_id);
create index sessions_by_browser on sessions (instance_id, browser_hash);
create index sessions_by_creation on sessions (instance_id, created_at, session_id);
create index sessions_by_fingerprint on sessions (instance_id, user_agent_fingerprint);
create index sessions_by_expiry on sessions (expires_at) where expires_at is not null;
create index sessions_by_termination on sessions (terminated_at) where terminated_at is not null;
create unique index sessions_by_token on sessions (instance_id, token_hash);

-- Parameters of an authorization request until it is answered.
create table auth_requests (
  instance_id text not null,
  auth_request_id text not null,
  client_id text not null,
  application_id text not null,
  -- Hash of the secret of the browser that brought the request; nobody else may answer it.
  browser_hash text,
  -- The hash before the browser's secret changed last: for a form that was sent twice (domain/sign-in).
  former_browser_hash text,
  parameters text not null,
  -- The session that the person chose, once there is one.
  session_id text,
  created_at bigint not null,
  expires_at bigint not null,
  -- An authorization request is answered once, by a code or by an error.
  answered_at bigint,
  primary key (instance_id, auth_request_id)
);
create index auth_requests_by_browser on auth_requests (instance_id, browser_hash);
create index auth_requests_by_expiry on auth_requests (expires_at);

-- A person on the way through the hosted login, in one browser and for one authorization request (empty: for none).
create table sign_ins (
  instance_id text not null,
  browser_hash text not null,
  auth_request_id text not null,
  state text not null check (state in ('unnamed', 'identified', 'change_required', 'change_expired')),
  -- As it was typed; empty while nobody was named.
  login_name text not null,
  -- Null for a name that nobody has, which goes on like any other.
  user_id text,
  -- What was wrong with the last step, JSON; null when nothing was.
  problem text,
  expires_at bigint not null,
  primary key (instance_id, browser_hash, auth_request_id)
);
create index sign_ins_by_expiry on sign_ins (expires_at);

-- Everything that was issued from one authorization; revoked together.
create table token_families (
  instance_id text not null,
  family_id text not null,
  client_id text not null,
  application_id text,
  project_id text,
  -- Null for tokens without a user.
  user_id text,
  session_id text,
  scope text not null,
  audience text not null,
  auth_time bigint,
  -- Space-separated `amr` values.
  authentication_methods text not null,
  nonce text,
  -- Actor of a delegated family (RFC 8693 `act`), JSON.
  actor text,
  created_at bigint not null,
  -- Absolute end of refreshing.
  expires_at bigint not null,
  revoked_at bigint,
  sequence bigint not null,
  primary key (instance_id, family_id)
);
create index token_families_by_session on token_families (instance_id, session_id);
create index token_families_by_client on token_families (instance_id, client_id);
create index token_families_by_user on token_families (instance_id, user_id);
create index token_families_by_expiry on token_families (expires_at);

-- Authorization codes: single use, and what a second use has to revoke.
create table authorization_codes (
  instance_id text not null,
  code_hash text not null,
  client_id text not null,
  auth_request_id text not null,
  -- What the code stands for (redirect URI, scope, nonce, code challenge, session …), JSON.
  issuance text not null,
  created_at bigint not null,
  expires_at bigint not null,
  consumed_at bigint,
  family_id text,
  primary key (instance_id, code_hash)
);
create index authorization_codes_by_expiry on authorization_codes (expires_at);

create table refresh_tokens (
  instance_id text not null,
  token_hash text not null,
  family_id text not null,
  -- The access token issued with it, which dies with it when it is revoked.
  access_token_id text,
  created_at bigint not null,
  -- Idle end: replaced earlier by each refresh.
  expires_at bigint not null,
  consumed_at bigint,
  revoked_at bigint,
  -- The tokens that replaced it, sealed, for the grace period of clients that have one.
  successor text,
  primary key (instance_id, token_hash)
);
create index refresh_tokens_by_family on refresh_tokens (instance_id, family_id);
create index refresh_tokens_by_expiry on refresh_tokens (expires_at);

-- Access tokens, opaque and JWT. The id is the hash of an opaque token and the `jti` of a JWT.
create table access_tokens (
  instance_id text not null,
  token_id text not null,
  format text not null check (format in ('opaque', 'jwt')),
  family_id text not null,
  scope text not null,
  audience text not null,
  created_at bigint not null,
  expires_at bigint not null,
  revoked_at bigint,
  primary key (instance_id, token_id)
);
create index access_tokens_by_family on access_tokens (instance_id, family_id);
create index access_tokens_by_expiry on access_tokens (expires_at);

-- Assertions (client assertions, JWT profile) that were used, until they expire: a second use is refused.
create table used_assertions (
  instance_id text not null,
  kind text not null,
  issuer text not null,
  assertion_hash text not null,
  expires_at bigint not null,
  primary key (instance_id, kind, issuer, assertion_hash)
);
create index used_assertions_by_expiry on used_assertions (expires_at);
