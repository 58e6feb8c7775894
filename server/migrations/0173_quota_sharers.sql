-- The organizations that have a part of a quota in a period, as JSON, from the first time that it was asked for. They
-- stay until the period ends, whatever becomes of them.
create table quota_sharers (
  instance_id text not null,
  unit text not null,
  period_start bigint not null,
  organization_ids text not null,
  primary key (instance_id, unit, period_start)
);
