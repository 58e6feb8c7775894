/**
 * What the triggers of SQLite write while rows are inserted, for all rows at once: by the name of the trigger. One
 * statement for many rows takes a fraction of the time. A test compares what they write.
 */
export const derivedRows: Readonly<Record<string, readonly string[]>> = {
  users_counted: [
    `insert into user_counts (instance_id, organization_id, kind, state, amount)
      select instance_id, organization_id, kind, state, count(*) from users group by 1, 2, 3, 4
      union all select instance_id, '', kind, state, count(*) from users group by 1, 3, 4`,
  ],
  users_worded: [
    "update users set search_number = rowid",
    `insert into user_words (rowid, words)
      select search_number, replace(lower(preferred_login_name || char(10) || username || char(10) || display_name
        || char(10) || coalesce(given_name, '') || char(10) || coalesce(family_name, '') || char(10)
        || coalesce(nick_name, '') || char(10) || coalesce(email, '') || char(10) || coalesce(phone, '')), 'ς', 'σ')
      from users order by rowid`,
  ],
  authorizations_counted: [
    `insert into authorization_counts (instance_id, organization_id, project_id, role_key, assignee, amount)
      select a.instance_id, case o.is_all when 1 then '' else a.organization_id end,
        case p.is_all when 1 then '' else a.project_id end, '', case when a.group_id = '' then 'user' else 'group' end,
        count(*)
      from authorizations a, (select 0 as is_all union all select 1) o, (select 0 as is_all union all select 1) p
      group by 1, 2, 3, 5`,
  ],
  authorization_roles_counted: [
    `insert into authorization_counts (instance_id, organization_id, project_id, role_key, assignee, amount)
      select r.instance_id, case o.is_all when 1 then '' else a.organization_id end,
        case p.is_all when 1 then '' else a.project_id end, r.role_key,
        case when a.group_id = '' then 'user' else 'group' end, count(*)
      from authorization_roles r
        join authorizations a on a.instance_id = r.instance_id and a.authorization_id = r.authorization_id,
        (select 0 as is_all union all select 1) o, (select 0 as is_all union all select 1) p
      group by 1, 2, 3, 4, 5`,
  ],
};
