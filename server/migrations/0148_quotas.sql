-- How much of something an instance may use in a period.
create table quotas (
  instance_id text not null,
  unit text not null check (unit in ('requests.all.authenticated', 'actions.all.runs.seconds')),
  quota_id text not null,
  begins_at bigint not null,
  -- Length of a period in milliseconds.
  reset_interval bigint not null,
  amount bigint not null,
  -- Whether requests are refused when the amount is used up.
  is_limited integer not null,
  -- Who is told when a share is used up, as JSON.
  notifications text not null,
  sequence bigint not null,
  created_at bigint not null,
  changed_at bigint not null,
  primary key (instance_id, unit)
);

-- What was used in a period: requests, or milliseconds. Each process adds what it counted every few seconds.
create table quota_usage (
  instance_id text not null,
  unit text not null,
  period_start bigint not null,
  used bigint not null,
  primary key (instance_id, unit, period_start)
);

-- Calls of the addresses of notifications: one for each threshold in a period.
create table quota_notifications (
  instance_id text not null,
  unit text not null,
  period_start bigint not null,
  -- Names the notification by what it is, so that it stays the same when the quota is set again.
  notification_id text not null,
  threshold bigint not null,
  delivery_id text not null,
  quota_id text not null,
  call_url text not null,
  used bigint not null,
  state text not null check (state in ('pending', 'delivered', 'failed')),
  attempts integer not null,
  next_attempt_at bigint not null,
  failure text,
  created_at bigint not null,
  changed_at bigint not null,
  primary key (instance_id, unit, period_start, notification_id, threshold)
);
create unique index quota_notifications_by_id on quota_notifications (instance_id, delivery_id);
create index quota_notifications_due on quota_notifications (next_attempt_at) where state = 'pending';
