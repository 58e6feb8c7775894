-- Every identifier that was ever given in an instance: of users, organizations, projects, applications, clients, and of the instance itself. A row
-- is written with the thing and stays when the thing is deleted, so that no subject, client or owner is ever given a second time. One space for
-- all kinds, because tokens carry them in the same claims (`sub`, `client_id`, `aud`).
create table identifiers (
  instance_id text not null,
  identifier text not null,
  kind text not null check (kind in ('instance', 'organization', 'user', 'project', 'application', 'client')),
  primary key (instance_id, identifier)
);

insert into identifiers (instance_id, identifier, kind) select instance_id, instance_id, 'instance' from instances where state <> 'removed'
  on conflict do nothing;
insert into identifiers (instance_id, identifier, kind) select instance_id, user_id, 'user' from users where 1 = 1 on conflict do nothing;
insert into identifiers (instance_id, identifier, kind) select instance_id, organization_id, 'organization' from organizations where 1 = 1
  on conflict do nothing;
insert into identifiers (instance_id, identifier, kind) select instance_id, project_id, 'project' from projects where 1 = 1 on conflict do nothing;
insert into identifiers (instance_id, identifier, kind) select instance_id, application_id, 'application' from applications where 1 = 1
  on conflict do nothing;
-- A client that is known by the address of its metadata document keeps that address for ever, deleted or not.
insert into identifiers (instance_id, identifier, kind) select instance_id, client_id, 'client' from applications
  where client_id is not null and client_id not like '%/%' on conflict do nothing;

-- What was deleted before, as far as the event log has it.
insert into identifiers (instance_id, identifier, kind)
  select distinct instance_id, aggregate_id, aggregate_type from events e
  where aggregate_type in ('organization', 'user', 'project', 'application')
    and exists (select 1 from instances i where i.instance_id = e.instance_id and i.state <> 'removed')
  on conflict do nothing;
-- engine: sqlite
insert into identifiers (instance_id, identifier, kind)
  select distinct e.instance_id, json_extract(e.payload, '$.clientId'), 'client' from events e
  where e.type = 'application.created' and json_extract(e.payload, '$.clientId') is not null
    and json_extract(e.payload, '$.clientId') not like '%/%'
    and exists (select 1 from instances i where i.instance_id = e.instance_id and i.state <> 'removed')
  on conflict do nothing;
-- engine: postgres
insert into identifiers (instance_id, identifier, kind)
  select distinct e.instance_id, e.payload::json ->> 'clientId', 'client' from events e
  where e.type = 'application.created' and e.payload::json ->> 'clientId' is not null
    and e.payload::json ->> 'clientId' not like '%/%'
    and exists (select 1 from instances i where i.instance_id = e.instance_id and i.state <> 'removed')
  on conflict do nothing;
-- engine: both
