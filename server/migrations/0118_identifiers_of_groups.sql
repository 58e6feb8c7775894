-- Ids of groups are given once, too: whoever assigns roles to a group by its id must not reach the people of a later holder.
create table identifiers_of_all (
  instance_id text not null,
  identifier text not null,
  kind text not null check (kind in ('instance', 'organization', 'user', 'project', 'application', 'client', 'group')),
  primary key (instance_id, identifier)
);
insert into identifiers_of_all (instance_id, identifier, kind) select instance_id, identifier, kind from identifiers;
drop table identifiers;
alter table identifiers_of_all rename to identifiers;

insert into identifiers (instance_id, identifier, kind) select instance_id, group_id, 'group' from user_groups where 1 = 1 on conflict do nothing;
-- What was deleted before, as far as the event log has it.
insert into identifiers (instance_id, identifier, kind)
  select distinct instance_id, aggregate_id, aggregate_type from events e
  where aggregate_type = 'group' and exists (select 1 from instances i where i.instance_id = e.instance_id and i.state <> 'removed')
  on conflict do nothing;
