-- New instances give tokens of one hour and do not let strangers make an account. Existing ones keep what they relied on: values that no
-- document names were those of the product.
-- engine: sqlite
update settings set document = json_patch('{"accessTokenLifetimeSeconds":43200,"idTokenLifetimeSeconds":43200}', document)
  where organization_id = '' and kind = 'oidc'
    and (json_extract(document, '$.accessTokenLifetimeSeconds') is null or json_extract(document, '$.idTokenLifetimeSeconds') is null);
update settings set document = json_patch('{"allowRegister":true}', document)
  where kind = 'login' and json_extract(document, '$.allowRegister') is null;
-- engine: postgres
update settings set document = ('{"accessTokenLifetimeSeconds":43200,"idTokenLifetimeSeconds":43200}'::jsonb || document::jsonb)::text
  where organization_id = '' and kind = 'oidc'
    and (document::json ->> 'accessTokenLifetimeSeconds' is null or document::json ->> 'idTokenLifetimeSeconds' is null);
update settings set document = ('{"allowRegister":true}'::jsonb || document::jsonb)::text
  where kind = 'login' and document::json ->> 'allowRegister' is null;
-- engine: both
insert into settings (instance_id, organization_id, kind, document, sequence, created_at, changed_at)
  select instance_id, '', 'oidc', '{"accessTokenLifetimeSeconds":43200,"idTokenLifetimeSeconds":43200}', sequence, created_at, changed_at
  from instances i where not exists (select 1 from settings s
    where s.instance_id = i.instance_id and s.organization_id = '' and s.kind = 'oidc');
insert into settings (instance_id, organization_id, kind, document, sequence, created_at, changed_at)
  select instance_id, '', 'login', '{"allowRegister":true}', sequence, created_at, changed_at
  from instances i where not exists (select 1 from settings s
    where s.instance_id = i.instance_id and s.organization_id = '' and s.kind = 'login');
