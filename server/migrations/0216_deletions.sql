-- The changes of a record begin after the deletion of a former one with its id, which is looked for among all of its
-- events. Other events cost this index nothing.
create index events_deletions on events (instance_id, type, aggregate_id, sequence)
  where substr(type, length(aggregate_type) + 1) = '.deleted';
