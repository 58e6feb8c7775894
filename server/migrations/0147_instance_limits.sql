-- What the operator limits for an instance. A row without values stays after a reset, because it owns the sequence.
create table instance_limits (
  instance_id text not null primary key,
  -- Milliseconds after which lists of events no longer show an event; null without a limit.
  audit_log_retention bigint,
  -- Whether requests of the instance are refused; null when that was never set.
  is_blocked integer,
  sequence bigint not null,
  created_at bigint not null,
  changed_at bigint not null
);
