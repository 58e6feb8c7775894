-- Passkeys and security keys of people (WebAuthn).
create table webauthn_credentials (
  instance_id text not null,
  credential_id text not null,
  user_id text not null,
  -- Passkeys are found by the authenticator and verify the person; security keys are a second factor.
  kind text not null check (kind in ('passkey', 'u2f')),
  state text not null check (state in ('pending', 'ready')),
  name text not null,
  -- The host that the credential works for, and for no other.
  relying_party_id text not null,
  -- Null until the registration is completed, like the rest of what the authenticator says: its id, the COSE key, both base64url.
  webauthn_id text,
  public_key text,
  sign_count bigint,
  transports text,
  aaguid text,
  created_at bigint not null,
  changed_at bigint not null,
  -- When a registration that was not completed is of no use any more; null for one that was.
  expires_at bigint,
  primary key (instance_id, credential_id)
);
create unique index webauthn_credentials_by_webauthn_id on webauthn_credentials (instance_id, webauthn_id);
create index webauthn_credentials_by_user on webauthn_credentials (instance_id, user_id, created_at, credential_id);
create index webauthn_credentials_by_expiry on webauthn_credentials (expires_at) where expires_at is not null;
