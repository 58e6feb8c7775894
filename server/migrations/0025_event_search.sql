-- The event log is searched along its time: each filter has an index that gives its events in that order.
drop index events_by_type;
create index events_by_type on events (instance_id, type, created_at, position);
drop index events_by_owner;
create index events_by_owner on events (instance_id, owner_id, created_at, position);
drop index events_by_editor;
create index events_by_editor on events (instance_id, editor_user_id, created_at, position) where editor_user_id is not null;
-- For "after this sequence" alone. Most records change a few times, so most events cost nothing here.
create index events_by_sequence on events (instance_id, sequence) where sequence > 16;
