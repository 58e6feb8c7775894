-- One queue for each target that something was ever to be delivered to. Who delivers holds the queue for a while.
create table delivery_queues (
  instance_id text not null,
  target_id text not null,
  -- Number of the newest delivery.
  newest bigint not null,
  -- When somebody may look at the queue; null when there is nothing to do.
  due_at bigint,
  -- Secret of who holds the queue until `due_at`.
  holder text,
  -- Until when the target is left alone, because it took nothing.
  paused_until bigint not null,
  -- Visits in a row in which nothing could be delivered.
  failures integer not null,
  primary key (instance_id, target_id)
);
create index delivery_queues_by_due on delivery_queues (due_at);

-- What is to be delivered, and for a while what was: the log.
create table deliveries (
  instance_id text not null,
  target_id text not null,
  -- Place in the queue.
  number bigint not null,
  -- What has to stay in order: aggregate of an event; nothing else has the lane of any other delivery.
  lane text not null,
  -- What it is about: type of the event, or the condition.
  subject text not null,
  -- The event, for events.
  aggregate_type text,
  aggregate_id text,
  event_sequence bigint,
  -- The payload, sealed, for everything else; gone when it was delivered.
  payload text,
  state text not null check (state in ('pending', 'delivered', 'failed')),
  attempts integer not null,
  next_attempt_at bigint not null,
  -- Why the last attempt failed, in a word.
  failure text,
  created_at bigint not null,
  settled_at bigint,
  primary key (instance_id, target_id, number)
);
create index deliveries_pending on deliveries (instance_id, target_id, lane, number) where state = 'pending';
create index deliveries_by_settlement on deliveries (settled_at);
