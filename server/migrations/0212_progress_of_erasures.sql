-- Up to which of a deleted user's events, by their sequence, everything is erased.
alter table event_erasures add column erased_to bigint not null default 0;
create index event_erasures_by_progress on event_erasures (instance_id, erased_to, user_id);
