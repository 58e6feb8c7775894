-- A later success of an attempt keeps its failures in sight: whether one of its steps failed, and the reference of each
-- failure, by which administrators find it.
alter table sign_in_attempts add column has_failed integer not null default 0;
update sign_in_attempts set has_failed = 1
  where result = 'failed' or steps like '%"outcome":"wrong"%' or steps like '%"outcome":"blocked"%'
    or steps like '%"outcome":"throttled"%' or steps like '%"outcome":"not_allowed"%'
    or steps like '%"outcome":"absent"%' or steps like '%"outcome":"unknown"%'
    or steps like '%"outcome":"other_account"%' or steps like '%"outcome":"expired"%'
    or steps like '%"outcome":"canceled"%' or steps like '%"outcome":"refused"%'
    or steps like '%"outcome":"failed"%';

create table sign_in_references (
  instance_id text not null,
  reference text not null,
  attempt_id text not null,
  primary key (instance_id, reference, attempt_id)
);
create index sign_in_references_by_attempt on sign_in_references (instance_id, attempt_id);
