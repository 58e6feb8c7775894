-- Somebody who makes an account waits for the code of its address. Ways are records of half an hour: those of this moment begin again.
drop table sign_ins;

-- A person on the way through the hosted login, in one browser and for one authorization request (empty: for none).
create table sign_ins (
  instance_id text not null,
  browser_hash text not null,
  auth_request_id text not null,
  state text not null check (state in ('unnamed', 'identified', 'second_factor', 'second_factor_setup', 'second_factor_offer',
    'change_required', 'change_expired', 'sign_up')),
  -- As it was typed; empty while nobody was named.
  login_name text not null,
  -- Null for a name that nobody has, which goes on like any other.
  user_id text,
  -- What was wrong with the last step, JSON; null when nothing was.
  problem text,
  -- What codes and challenges of this way are made for; null before there were any.
  way_id text,
  -- What was checked on the way, and when, JSON.
  factors text not null,
  -- The account that is made when its address is proven, JSON, encrypted by the vault; null in every other state.
  sealed_sign_up text,
  expires_at bigint not null,
  primary key (instance_id, browser_hash, auth_request_id)
);
create index sign_ins_by_expiry on sign_ins (expires_at);
