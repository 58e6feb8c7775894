-- Deleted users of whom the event log still says something, because it was too much for the unit of work that deleted them.
create table event_erasures (
  instance_id text not null,
  user_id text not null,
  primary key (instance_id, user_id)
);
