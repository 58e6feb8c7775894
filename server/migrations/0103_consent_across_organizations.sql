-- Applications of one organization ask people of another for consent. Existing instances keep what their applications rely on, until an
-- administrator of the instance switches it off.
-- engine: sqlite
update settings set document = json_patch('{"skipConsentAcrossOrganizations":true}', document)
  where organization_id = '' and kind = 'security';
-- engine: postgres
update settings set document = ('{"skipConsentAcrossOrganizations":true}'::jsonb || document::jsonb)::text
  where organization_id = '' and kind = 'security';
-- engine: both
insert into settings (instance_id, organization_id, kind, document, sequence, created_at, changed_at)
  select instance_id, '', 'security', '{"skipConsentAcrossOrganizations":true}', sequence, created_at, changed_at
  from instances i where not exists (select 1 from settings s
    where s.instance_id = i.instance_id and s.organization_id = '' and s.kind = 'security');

-- A grant is the word of the project's owner alone. It speaks for the organization that it lends the project to once an administrator there, or of
-- the instance, made it or worked with it. Grants of before are taken as recognized.
alter table project_grants add column is_recognized integer not null default 1;

-- Whose code it is, so that a user who takes the access of an application away also ends the codes that it has not redeemed yet.
alter table authorization_codes add column user_id text;
create index authorization_codes_by_user on authorization_codes (instance_id, user_id, client_id) where consumed_at is null;
