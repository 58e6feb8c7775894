-- New instances slow wrong passwords down and block none, demand proof of domains, and offer recovery codes. Those that were there before keep what
-- they had: values that no document names were those of the product. Migration 102 tells them apart, which came with the new values.
-- engine: sqlite
update settings set document = json_patch('{"maxPasswordAttempts":100}', document)
  where kind = 'lockout' and json_extract(document, '$.maxPasswordAttempts') is null and instance_id in (select instance_id from instances
    where created_at < (select applied_at from migrations where number = 102));
update settings set document = json_patch('{"requireOrganizationDomainProof":false}', document)
  where kind = 'domain' and json_extract(document, '$.requireOrganizationDomainProof') is null and instance_id in (select instance_id from instances
    where created_at < (select applied_at from migrations where number = 102));
update settings set document = json_patch('{"secondFactors":["totp","u2f"]}', document)
  where kind = 'login' and json_extract(document, '$.secondFactors') is null and instance_id in (select instance_id from instances
    where created_at < (select applied_at from migrations where number = 102));
-- engine: postgres
update settings set document = ('{"maxPasswordAttempts":100}'::jsonb || document::jsonb)::text
  where kind = 'lockout' and document::json ->> 'maxPasswordAttempts' is null and instance_id in (select instance_id from instances
    where created_at < (select applied_at from migrations where number = 102));
update settings set document = ('{"requireOrganizationDomainProof":false}'::jsonb || document::jsonb)::text
  where kind = 'domain' and document::json ->> 'requireOrganizationDomainProof' is null and instance_id in (select instance_id from instances
    where created_at < (select applied_at from migrations where number = 102));
update settings set document = ('{"secondFactors":["totp","u2f"]}'::jsonb || document::jsonb)::text
  where kind = 'login' and document::json ->> 'secondFactors' is null and instance_id in (select instance_id from instances
    where created_at < (select applied_at from migrations where number = 102));
-- engine: both
insert into settings (instance_id, organization_id, kind, document, sequence, created_at, changed_at)
  select instance_id, '', 'lockout', '{"maxPasswordAttempts":100}', sequence, created_at, changed_at
  from instances i where created_at < (select applied_at from migrations where number = 102) and not exists (select 1 from settings s
    where s.instance_id = i.instance_id and s.organization_id = '' and s.kind = 'lockout');
insert into settings (instance_id, organization_id, kind, document, sequence, created_at, changed_at)
  select instance_id, '', 'domain', '{"requireOrganizationDomainProof":false}', sequence, created_at, changed_at
  from instances i where created_at < (select applied_at from migrations where number = 102) and not exists (select 1 from settings s
    where s.instance_id = i.instance_id and s.organization_id = '' and s.kind = 'domain');
insert into settings (instance_id, organization_id, kind, document, sequence, created_at, changed_at)
  select instance_id, '', 'login', '{"secondFactors":["totp","u2f"]}', sequence, created_at, changed_at
  from instances i where created_at < (select applied_at from migrations where number = 102) and not exists (select 1 from settings s
    where s.instance_id = i.instance_id and s.organization_id = '' and s.kind = 'login');
