-- Pictures and fonts of the looks of an instance (organization_id empty) and of organizations. Which of them are in use the settings say.
create table branding_assets (
  instance_id text not null,
  organization_id text not null,
  -- Hash of the content and an ending: the name under which it is served.
  file_name text not null,
  content_type text not null,
  -- Base64.
  content text not null,
  created_at bigint not null,
  primary key (instance_id, organization_id, file_name)
);
create index branding_assets_by_name on branding_assets (instance_id, file_name);
