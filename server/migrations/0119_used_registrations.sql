-- Whether people are asked before an application gets anything: so it is with strangers' clients until an administrator vouches for them.
alter table applications add column requires_consent integer not null default 0;
-- engine: sqlite
update applications set requires_consent = 1 where kind = 'oidc' and json_extract(configuration, '$.isConsentRequired') = 1;
-- engine: postgres
update applications set requires_consent = 1 where kind = 'oidc' and configuration::json ->> 'isConsentRequired' = 'true';
-- engine: both
create index applications_without_voucher on applications (instance_id, application_id) where requires_consent = 1;

-- When a registration that was used was last seen with living tokens; null before the first look, which counts as one.
alter table registrations add column last_used_at bigint;
create index registrations_by_last_use on registrations (last_used_at) where expires_at is not null and used_at is not null;
