-- Keys for PS256 beside the others. Neither engine changes the condition of a column in the same words, so the table is made anew.
create table signing_keys_with_pss (
  instance_id text not null,
  -- The `kid` of tokens and of the key set.
  key_id text not null,
  algorithm text not null check (algorithm in ('RS256', 'RS384', 'RS512', 'PS256', 'ES256', 'ES384', 'ES512', 'EdDSA')),
  -- Size of RSA keys; null for the others, whose algorithm says everything.
  rsa_bits integer,
  state text not null check (state in ('initial', 'active', 'inactive')),
  -- 1 for keys that rotation made to follow the active one.
  is_successor integer not null,
  -- Public half as a JSON Web Key.
  public_jwk text not null,
  -- PKCS #8 in PEM, encrypted under the master key.
  private_key text not null,
  -- Longest lifetime of tokens, in milliseconds, that was in force while the key signed: so long it stays published afterwards.
  token_lifetime bigint not null,
  activated_at bigint,
  deactivated_at bigint,
  sequence bigint not null,
  created_at bigint not null,
  changed_at bigint not null,
  primary key (instance_id, key_id)
);
insert into signing_keys_with_pss (instance_id, key_id, algorithm, rsa_bits, state, is_successor, public_jwk, private_key, token_lifetime,
    activated_at, deactivated_at, sequence, created_at, changed_at)
  select instance_id, key_id, algorithm, rsa_bits, state, is_successor, public_jwk, private_key, token_lifetime,
    activated_at, deactivated_at, sequence, created_at, changed_at
  from signing_keys;
drop table signing_keys;
alter table signing_keys_with_pss rename to signing_keys;
-- One key signs for an algorithm, and one waits to follow it, however many nodes think that it is time.
create unique index signing_keys_active on signing_keys (instance_id, algorithm) where state = 'active';
create unique index signing_keys_successor on signing_keys (instance_id, algorithm) where state = 'initial' and is_successor = 1;
