-- People and service accounts. What only one kind has is null for the other.
create table users (
  instance_id text not null,
  user_id text not null,
  organization_id text not null,
  kind text not null check (kind in ('human', 'machine')),
  state text not null check (state in ('active', 'inactive', 'locked', 'initial')),
  username text not null,
  username_key text not null,
  -- `username@primarydomain`, kept with the organization's primary domain, because lists sort and filter by it.
  preferred_login_name text not null,
  -- The same in the form in which names are compared; no two users of an instance share it.
  login_name_key text not null,
  display_name text not null,
  sequence bigint not null,
  created_at bigint not null,
  changed_at bigint not null,

  given_name text,
  family_name text,
  nick_name text,
  preferred_language text,
  gender text,
  avatar_key text,
  email text,
  email_key text,
  is_email_verified integer,
  phone text,
  is_phone_verified integer,

  password_hash text,
  password_changed_at bigint,
  is_password_change_required integer not null,
  -- Wrong passwords since the last right one, and checks that are under way: a check counts before it is evaluated.
  failed_password_checks integer not null,
  last_password_check_at bigint,
  -- Set when too many were wrong: the password is of no use until it is unlocked or set anew. Other factors work on.
  password_blocked_at bigint,
  -- When the person was last offered a second factor and put it off.
  second_factor_skipped_at bigint,

  description text,
  access_token_format text check (access_token_format in ('opaque', 'jwt')),
  secret_hash text,

  primary key (instance_id, user_id)
);
create unique index users_by_username on users (instance_id, organization_id, username_key);
create unique index users_by_login_name_key on users (instance_id, login_name_key);
create index users_by_bare_username on users (instance_id, username_key);
create index users_by_email on users (instance_id, email_key);
create index users_by_login_name on users (instance_id, preferred_login_name, user_id);
create index users_by_organization on users (instance_id, organization_id, created_at, user_id);
create index users_by_creation on users (instance_id, created_at, user_id);
create index users_by_display_name on users (instance_id, display_name, user_id);

-- Public keys with which service accounts sign assertions (JWT profile, private_key_jwt).
create table user_keys (
  instance_id text not null,
  key_id text not null,
  user_id text not null,
  public_key text not null,
  expires_at bigint not null,
  sequence bigint not null,
  created_at bigint not null,
  changed_at bigint not null,
  primary key (instance_id, key_id)
);
create index user_keys_by_user on user_keys (instance_id, user_id, created_at, key_id);

create table personal_access_tokens (
  instance_id text not null,
  token_id text not null,
  token_hash text not null,
  user_id text not null,
  scope text not null,
  expires_at bigint not null,
  sequence bigint not null,
  created_at bigint not null,
  changed_at bigint not null,
  primary key (instance_id, token_id)
);
create unique index personal_access_tokens_by_hash on personal_access_tokens (instance_id, token_hash);
create index personal_access_tokens_by_user on personal_access_tokens (instance_id, user_id, created_at, token_id);

-- Secrets that work once, of every kind (setup link, e-mail code, password reset …). The kind is part of the key, so a value of
-- one kind can never be looked up as another. Only the newest of a kind and subject counts.
create table one_time_secrets (
  instance_id text not null,
  kind text not null,
  subject_id text not null,
  secret_hash text not null,
  -- What the secret proves (the e-mail address it was sent to …), JSON.
  bound text not null,
  failed_attempts integer not null,
  created_at bigint not null,
  expires_at bigint not null,
  consumed_at bigint,
  primary key (instance_id, kind, subject_id)
);
create index one_time_secrets_by_hash on one_time_secrets (instance_id, kind, secret_hash);
create index one_time_secrets_by_expiry on one_time_secrets (expires_at);

-- Messages that are to be sent: written with the change that causes them, sent by a job afterwards.
create table notifications (
  instance_id text not null,
  notification_id text not null,
  kind text not null,
  channel text not null check (channel in ('email', 'sms')),
  user_id text not null,
  -- Whose texts, colours and provider shape the message.
  organization_id text not null,
  -- Address or number at the moment of the change, which is where the message goes whatever happens later.
  recipient text not null,
  language text not null,
  -- Values of the message (code, link …), JSON, encrypted by the vault.
  sealed_values text not null,
  state text not null check (state in ('queued', 'sent', 'failed', 'superseded')),
  attempts integer not null,
  next_attempt_at bigint not null,
  last_error text,
  created_at bigint not null,
  -- A code is of no use later, so neither is its message.
  expires_at bigint,
  changed_at bigint not null,
  primary key (instance_id, notification_id)
);
create index notifications_due on notifications (next_attempt_at, instance_id, notification_id) where state = 'queued';
create index notifications_by_user on notifications (instance_id, user_id, kind);
create index notifications_by_creation on notifications (instance_id, created_at, notification_id);
