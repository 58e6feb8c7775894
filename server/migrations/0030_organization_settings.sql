-- What instance administrators decide about one organization. An organization without a row follows the instance.
create table organization_settings (
  instance_id text not null,
  organization_id text not null,
  is_username_scoped integer not null,
  created_at bigint not null,
  changed_at bigint not null,
  primary key (instance_id, organization_id)
);

-- Words of the login in a language, of the instance (organization_id empty) or of an organization.
create table login_translations (
  instance_id text not null,
  organization_id text not null,
  locale text not null,
  -- Only the texts that differ, JSON.
  translations text not null,
  created_at bigint not null,
  changed_at bigint not null,
  primary key (instance_id, organization_id, locale)
);
