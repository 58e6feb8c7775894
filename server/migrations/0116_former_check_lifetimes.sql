-- In new instances a password and a sign-in at an identity provider count for 12 hours. Existing ones keep what they relied on: 240 hours
-- where no document names a value.
-- engine: sqlite
update settings set document = json_patch('{"passwordCheckLifetimeSeconds":864000,"externalLoginCheckLifetimeSeconds":864000}', document)
  where kind = 'login' and (json_extract(document, '$.passwordCheckLifetimeSeconds') is null
    or json_extract(document, '$.externalLoginCheckLifetimeSeconds') is null);
-- engine: postgres
update settings set document =
    ('{"passwordCheckLifetimeSeconds":864000,"externalLoginCheckLifetimeSeconds":864000}'::jsonb || document::jsonb)::text
  where kind = 'login' and (document::json ->> 'passwordCheckLifetimeSeconds' is null
    or document::json ->> 'externalLoginCheckLifetimeSeconds' is null);
-- engine: both
insert into settings (instance_id, organization_id, kind, document, sequence, created_at, changed_at)
  select instance_id, '', 'login', '{"passwordCheckLifetimeSeconds":864000,"externalLoginCheckLifetimeSeconds":864000}',
    sequence, created_at, changed_at
  from instances i where not exists (select 1 from settings s
    where s.instance_id = i.instance_id and s.organization_id = '' and s.kind = 'login');
