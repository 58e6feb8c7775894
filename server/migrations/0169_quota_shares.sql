-- What the scripts of an organization used of a quota in a period, in milliseconds. It is also in quota_usage.
create table quota_shares (
  instance_id text not null,
  unit text not null,
  period_start bigint not null,
  organization_id text not null,
  used bigint not null,
  primary key (instance_id, unit, period_start, organization_id)
);
