-- Devices that wait to be let in (RFC 8628): one row from the request of the device to the tokens that it gets.
create table device_authorizations (
  instance_id text not null,
  device_authorization_id text not null,
  client_id text not null,
  application_id text not null,
  device_code_hash text not null,
  -- Hash of the code that people type, in capitals and without the dash.
  user_code_hash text not null,
  -- The code itself, sealed: the page where somebody decides shows it, to be compared with the device.
  user_code_sealed text not null,
  scope text not null,
  state text not null check (state in ('pending', 'approved', 'denied', 'redeemed')),
  -- Where the device asked from, for the person who decides.
  requested_from text not null,
  -- Hash of the secret of the browser in which the code was typed last; only this one may decide.
  browser_hash text,
  -- Who let the device in.
  user_id text,
  session_id text,
  auth_time bigint,
  authentication_methods text,
  -- Seconds between two questions of the device; grows when it asks too often.
  polling_interval bigint not null,
  polled_at bigint,
  created_at bigint not null,
  expires_at bigint not null,
  sequence bigint not null,
  primary key (instance_id, device_authorization_id)
);
create unique index device_authorizations_by_device_code on device_authorizations (instance_id, device_code_hash);
create unique index device_authorizations_by_user_code on device_authorizations (instance_id, user_code_hash);
create index device_authorizations_by_browser on device_authorizations (instance_id, browser_hash);
create index device_authorizations_by_client on device_authorizations (instance_id, client_id);
create index device_authorizations_by_user on device_authorizations (instance_id, user_id);
create index device_authorizations_by_expiry on device_authorizations (expires_at);

-- How often devices asked and people typed codes lately, by what they did and where they came from: codes are short, so guessing has to end
-- early, and nobody may have any number of them wait.
create table device_attempts (
  instance_id text not null,
  -- `ask` or `type`, and the network.
  source text not null,
  attempts bigint not null,
  expires_at bigint not null,
  primary key (instance_id, source)
);
create index device_attempts_by_expiry on device_attempts (expires_at);
