-- SAML service providers are found by the entity id in their metadata, which one application of the instance has. The rest of their configuration is
-- in applications.configuration.
create table saml_partners (
  instance_id text not null,
  entity_id text not null,
  application_id text not null,
  -- Internal: what sessions, consents and requests know the application by.
  client_id text not null,
  -- When the metadata is fetched again; null for metadata that was uploaded.
  refresh_at bigint,
  primary key (instance_id, entity_id)
);
create unique index saml_partners_by_application on saml_partners (instance_id, application_id);
create index saml_partners_by_refresh on saml_partners (refresh_at) where refresh_at is not null;

-- Keys that sign SAML messages, with their certificates. Service providers trust a certificate by name, so these keys live for years.
create table saml_keys (
  instance_id text not null,
  key_id text not null,
  state text not null check (state in ('next', 'active', 'former')),
  -- X.509, DER in base64.
  certificate text not null,
  -- PKCS #8 in PEM, encrypted under the master key.
  private_key text not null,
  -- End of the certificate.
  expires_at bigint not null,
  sequence bigint not null,
  created_at bigint not null,
  changed_at bigint not null,
  primary key (instance_id, key_id)
);
create unique index saml_keys_active on saml_keys (instance_id) where state = 'active';
create unique index saml_keys_next on saml_keys (instance_id) where state = 'next';
