-- How often something happened, folded from the events. A bucket is an hour, a day or a month in UTC.
create table statistics (
  instance_id text not null,
  -- Empty for the whole instance.
  organization_id text not null,
  granularity text not null check (granularity in ('hour', 'day', 'month')),
  bucket_start bigint not null,
  name text not null,
  amount bigint not null,
  primary key (instance_id, organization_id, granularity, bucket_start, name)
);
create index statistics_by_age on statistics (granularity, bucket_start);

-- Users who are counted in a day or month already, so that each is counted once. Removed soon after it is over.
create table active_users (
  instance_id text not null,
  user_id text not null,
  granularity text not null check (granularity in ('day', 'month')),
  bucket_start bigint not null,
  expires_at bigint not null,
  primary key (instance_id, user_id, granularity, bucket_start)
);
create index active_users_by_expiry on active_users (expires_at);
