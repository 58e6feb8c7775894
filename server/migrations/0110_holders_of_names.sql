-- Since when users have their username, and whether they chose it themselves: of users of several organizations with one name, the earliest keeps it,
-- and a name that users gave themselves takes nothing from anyone.
alter table users add column username_set_at bigint not null default 0;
alter table users add column is_username_own_choice integer not null default 0;

update users set username_set_at = coalesce((select max(e.created_at) from events e
  where e.instance_id = users.instance_id and e.aggregate_type = 'user' and e.aggregate_id = users.user_id
    and e.type = 'user.username.set'), created_at);
update users set is_username_own_choice = 1 where exists (select 1 from events e
  where e.instance_id = users.instance_id and e.aggregate_type = 'user' and e.aggregate_id = users.user_id
    and e.type = 'user.username.set' and e.editor_user_id = users.user_id);
