-- Filters and sorting of the console's lists that users saved for themselves.
create table saved_views (
  instance_id text not null,
  user_id text not null,
  view_id text not null,
  list text not null,
  name text not null,
  -- The query of the list's address.
  search text not null,
  created_at bigint not null,
  changed_at bigint not null,
  primary key (instance_id, user_id, view_id)
);
