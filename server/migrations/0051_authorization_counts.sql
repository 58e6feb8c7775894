-- How many role assignments there are in an organization, in a project, with a role, and in each of these together; where one of them is empty,
-- in all. A list of them says how long it is without counting its rows. What is of a group is counted by itself: the first API does not know it.
create table authorization_counts (
  instance_id text not null,
  organization_id text not null,
  project_id text not null,
  -- Empty: however many roles an assignment has.
  role_key text not null,
  assignee text not null check (assignee in ('user', 'group')),
  -- On PostgreSQL there are several rows of the same, and their sum counts, as in `user_counts`.
  amount bigint not null
-- engine: sqlite
  , primary key (instance_id, project_id, role_key, organization_id, assignee)
-- engine: both
);
-- engine: postgres
create index authorization_counts_by_place on authorization_counts (instance_id, project_id, role_key, organization_id);
-- engine: both
insert into authorization_counts (instance_id, organization_id, project_id, role_key, assignee, amount)
  with counted as (
    select a.instance_id, a.organization_id, a.project_id, '' as role_key, case when a.group_id = '' then 'user' else 'group' end as assignee
      from authorizations a
    union all select a.instance_id, a.organization_id, a.project_id, r.role_key, case when a.group_id = '' then 'user' else 'group' end
      from authorization_roles r join authorizations a on a.instance_id = r.instance_id and a.authorization_id = r.authorization_id)
  select instance_id, organization_id, project_id, role_key, assignee, count(*) from counted
    group by instance_id, organization_id, project_id, role_key, assignee
  union all select instance_id, '', project_id, role_key, assignee, count(*) from counted group by instance_id, project_id, role_key, assignee
  union all select instance_id, organization_id, '', role_key, assignee, count(*) from counted
    group by instance_id, organization_id, role_key, assignee
  union all select instance_id, '', '', role_key, assignee, count(*) from counted group by instance_id, role_key, assignee;

-- Where an assignment is and whose does not change while there is one. Its roles come after it and go before it.
-- engine: sqlite
create trigger authorizations_counted after insert on authorizations begin
  insert into authorization_counts
    select new.instance_id, o.id, p.id, '', case when new.group_id = '' then 'user' else 'group' end, 1
    from (select '' as id union all select new.organization_id) o, (select '' as id union all select new.project_id) p where true
    on conflict do update set amount = amount + 1;
end;
create trigger authorizations_counted_off after delete on authorizations begin
  update authorization_counts set amount = amount - 1 where instance_id = old.instance_id and organization_id in (old.organization_id, '')
    and project_id in (old.project_id, '') and role_key = '' and assignee = case when old.group_id = '' then 'user' else 'group' end;
  delete from authorization_counts where instance_id = old.instance_id and organization_id in (old.organization_id, '')
    and project_id in (old.project_id, '') and role_key = '' and amount = 0;
end;
create trigger authorization_roles_counted after insert on authorization_roles begin
  insert into authorization_counts
    select new.instance_id, case o.is_all when 1 then '' else a.organization_id end, case p.is_all when 1 then '' else a.project_id end,
      new.role_key, case when a.group_id = '' then 'user' else 'group' end, 1
    from authorizations a, (select 0 as is_all union all select 1) o, (select 0 as is_all union all select 1) p
    where a.instance_id = new.instance_id and a.authorization_id = new.authorization_id
    on conflict do update set amount = amount + 1;
end;
create trigger authorization_roles_counted_off after delete on authorization_roles begin
  update authorization_counts set amount = amount - 1
    where instance_id = old.instance_id and role_key = old.role_key
      and (organization_id, project_id, assignee) in (
        select case o.is_all when 1 then '' else a.organization_id end, case p.is_all when 1 then '' else a.project_id end,
          case when a.group_id = '' then 'user' else 'group' end
        from authorizations a, (select 0 as is_all union all select 1) o, (select 0 as is_all union all select 1) p
        where a.instance_id = old.instance_id and a.authorization_id = old.authorization_id);
  delete from authorization_counts where instance_id = old.instance_id and role_key = old.role_key and amount = 0
    and project_id in (select '' union all select a.project_id from authorizations a
      where a.instance_id = old.instance_id and a.authorization_id = old.authorization_id);
end;

-- engine: postgres
create function doorward_count_authorizations() returns trigger language plpgsql as $$
declare
  sign integer := case tg_op when 'INSERT' then 1 else -1 end;
begin
  if tg_table_name = 'authorizations' then
    insert into authorization_counts
      select a.instance_id, o.id, p.id, '', case when a.group_id = '' then 'user' else 'group' end, sign * count(*)
      from changed a, lateral (values (''), (a.organization_id)) o (id), lateral (values (''), (a.project_id)) p (id)
      group by 1, 2, 3, 5;
  else
    insert into authorization_counts
      select a.instance_id, o.id, p.id, r.role_key, case when a.group_id = '' then 'user' else 'group' end, sign * count(*)
      from changed r join authorizations a on a.instance_id = r.instance_id and a.authorization_id = r.authorization_id,
        lateral (values (''), (a.organization_id)) o (id), lateral (values (''), (a.project_id)) p (id)
      group by 1, 2, 3, 4, 5;
  end if;
  return null;
end $$;
create trigger authorizations_counted after insert on authorizations referencing new table as changed
  for each statement execute function doorward_count_authorizations();
create trigger authorizations_counted_off after delete on authorizations referencing old table as changed
  for each statement execute function doorward_count_authorizations();
create trigger authorization_roles_counted after insert on authorization_roles referencing new table as changed
  for each statement execute function doorward_count_authorizations();
create trigger authorization_roles_counted_off after delete on authorization_roles referencing old table as changed
  for each statement execute function doorward_count_authorizations();
-- engine: both
