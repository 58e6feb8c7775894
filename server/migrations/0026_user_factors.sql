-- What people prove themselves with besides their password: one row for each kind that somebody has.
create table user_factors (
  instance_id text not null,
  user_id text not null,
  kind text not null check (kind in ('totp', 'otp_email', 'otp_sms', 'recovery_codes', 'passkey', 'u2f')),
  -- Pending: an authenticator app that was not confirmed by a code yet.
  state text not null check (state in ('pending', 'ready')),
  -- Secret of the authenticator app, encrypted by the vault; null for other kinds.
  sealed_secret text,
  -- Time step of the newest code of the app that was taken: none is taken twice (RFC 6238 §5.2).
  last_time_step bigint,
  -- Wrong codes since the last right one.
  failed_checks bigint not null,
  -- Set when too many were wrong: the factor is of no use until it is removed and added again.
  blocked_at bigint,
  ready_at bigint,
  created_at bigint not null,
  changed_at bigint not null,
  primary key (instance_id, user_id, kind)
);

-- Recovery codes that are left; one that is used goes.
create table recovery_codes (
  instance_id text not null,
  user_id text not null,
  code_hash text not null,
  created_at bigint not null,
  primary key (instance_id, user_id, code_hash)
);
