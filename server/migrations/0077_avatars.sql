-- Pictures of people. A name is random and new with every picture, so that nobody finds one who was not told, and what is kept under it never changes.
create table user_avatars (
  instance_id text not null,
  user_id text not null,
  file_name text not null,
  content_type text not null,
  -- Base64.
  content text not null,
  created_at bigint not null,
  primary key (instance_id, user_id)
);
create unique index user_avatars_by_name on user_avatars (instance_id, file_name);
-- The name once more, so that nothing that lists people has to look for pictures.
alter table users add column avatar_file text;
