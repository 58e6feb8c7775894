-- Counts have a key on PostgreSQL as well. Transactions still add rows of their own, so that none waits for another, and each row is known by
-- its transaction. After a restore into another database cluster, numbers of transactions may occur again; what is counted then adds up.

-- engine: postgres
-- In the order in which a deletion counts.
lock table authorization_counts in access exclusive mode;
lock table user_counts in access exclusive mode;

with gone as (delete from authorization_counts returning instance_id, organization_id, project_id, role_key, assignee, amount)
insert into authorization_counts (instance_id, organization_id, project_id, role_key, assignee, amount)
  select instance_id, organization_id, project_id, role_key, assignee, sum(amount) from gone
  group by instance_id, organization_id, project_id, role_key, assignee having sum(amount) <> 0;
alter table authorization_counts add column transaction_id xid8 not null default pg_current_xact_id();
alter table authorization_counts add primary key (instance_id, project_id, role_key, organization_id, assignee, transaction_id);
drop index authorization_counts_by_place;

with gone as (delete from user_counts returning instance_id, organization_id, kind, state, amount)
insert into user_counts (instance_id, organization_id, kind, state, amount)
  select instance_id, organization_id, kind, state, sum(amount) from gone
  group by instance_id, organization_id, kind, state having sum(amount) <> 0;
alter table user_counts add column transaction_id xid8 not null default pg_current_xact_id();
alter table user_counts add primary key (instance_id, organization_id, kind, state, transaction_id);
drop index user_counts_by_organization;

create or replace function doorward_count_users() returns trigger language plpgsql as $$
begin
  if tg_op = 'INSERT' then
    insert into user_counts (instance_id, organization_id, kind, state, amount)
      select instance_id, organization_id, kind, state, count(*) from changed group by instance_id, organization_id, kind, state
      union all select instance_id, '', kind, state, count(*) from changed group by instance_id, kind, state
      on conflict (instance_id, organization_id, kind, state, transaction_id) do update set amount = user_counts.amount + excluded.amount;
  elsif tg_op = 'DELETE' then
    insert into user_counts (instance_id, organization_id, kind, state, amount)
      select instance_id, organization_id, kind, state, -count(*) from changed group by instance_id, organization_id, kind, state
      union all select instance_id, '', kind, state, -count(*) from changed group by instance_id, kind, state
      on conflict (instance_id, organization_id, kind, state, transaction_id) do update set amount = user_counts.amount + excluded.amount;
  else
    -- One row of each: the same one cannot be inserted twice by a statement.
    insert into user_counts (instance_id, organization_id, kind, state, amount)
      select instance_id, organization_id, kind, state, sum(amount) from (values
        (old.instance_id, old.organization_id, old.kind, old.state, -1), (old.instance_id, '', old.kind, old.state, -1),
        (new.instance_id, new.organization_id, new.kind, new.state, 1), (new.instance_id, '', new.kind, new.state, 1)
      ) moved (instance_id, organization_id, kind, state, amount)
      group by instance_id, organization_id, kind, state having sum(amount) <> 0
      on conflict (instance_id, organization_id, kind, state, transaction_id) do update set amount = user_counts.amount + excluded.amount;
  end if;
  return null;
end $$;

create or replace function doorward_count_authorizations() returns trigger language plpgsql as $$
declare
  sign integer := case tg_op when 'INSERT' then 1 else -1 end;
begin
  if tg_table_name = 'authorizations' then
    insert into authorization_counts (instance_id, organization_id, project_id, role_key, assignee, amount)
      select a.instance_id, o.id, p.id, '', case when a.group_id = '' then 'user' else 'group' end, sign * count(*)
      from changed a, lateral (values (''), (a.organization_id)) o (id), lateral (values (''), (a.project_id)) p (id)
      group by 1, 2, 3, 5
      on conflict (instance_id, project_id, role_key, organization_id, assignee, transaction_id)
        do update set amount = authorization_counts.amount + excluded.amount;
  else
    insert into authorization_counts (instance_id, organization_id, project_id, role_key, assignee, amount)
      select a.instance_id, o.id, p.id, r.role_key, case when a.group_id = '' then 'user' else 'group' end, sign * count(*)
      from changed r join authorizations a on a.instance_id = r.instance_id and a.authorization_id = r.authorization_id,
        lateral (values (''), (a.organization_id)) o (id), lateral (values (''), (a.project_id)) p (id)
      group by 1, 2, 3, 4, 5
      on conflict (instance_id, project_id, role_key, organization_id, assignee, transaction_id)
        do update set amount = authorization_counts.amount + excluded.amount;
  end if;
  return null;
end $$;
-- engine: both
