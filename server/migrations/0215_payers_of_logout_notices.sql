-- Whose application a notice is for, empty when it is gone, and whether strangers chose where it is sent. Both as they were when it was queued.
alter table logout_notices add column organization_id text not null default '';
alter table logout_notices add column is_of_stranger integer not null default 0;
update logout_notices set organization_id = coalesce((select a.organization_id from applications a
    where a.instance_id = logout_notices.instance_id and a.client_id = logout_notices.client_id), ''),
  is_of_stranger = case when exists (select 1 from registrations r
      join applications a on a.instance_id = r.instance_id and a.application_id = r.application_id
      where r.instance_id = logout_notices.instance_id and r.client_id = logout_notices.client_id
        and (a.requires_consent = 1 or r.has_own_addresses = 1)) then 1 else 0 end;

-- What is due is found by jumps from instance to instance, from organization to organization, and from client to client.
-- The conditions are true of all rows. Only the jump for which an index is states its own, so that none reads the rows of others by another index.
drop index logout_notices_by_attempt;
create index logout_notices_by_attempt on logout_notices (instance_id, next_attempt_at) where (session_id || '') <> '';
create index logout_notices_by_payer on logout_notices (instance_id, is_of_stranger, organization_id, next_attempt_at)
  where (client_id || '') <> '';
create index logout_notices_by_client_of_payer on logout_notices
  (instance_id, is_of_stranger, organization_id, client_id, next_attempt_at);
