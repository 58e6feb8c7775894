-- Who sends mail and text messages for an instance. One of each channel is active.
create table message_providers (
  instance_id text not null,
  provider_id text not null,
  channel text not null check (channel in ('email', 'sms')),
  kind text not null check (kind in ('smtp', 'twilio', 'http')),
  state text not null check (state in ('active', 'inactive')),
  description text not null,
  -- What the kind needs and is no secret, JSON.
  configuration text not null,
  -- Password, client secret, token or signing key, encrypted by the vault. Null when there is none.
  sealed_secret text,
  sequence bigint not null,
  created_at bigint not null,
  changed_at bigint not null,
  primary key (instance_id, provider_id)
);
create index message_providers_by_creation on message_providers (instance_id, channel, created_at, provider_id);
create unique index message_providers_active on message_providers (instance_id, channel) where state = 'active';
