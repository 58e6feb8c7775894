-- Work on many users that an administrator started: each row is one user, handled after the answer. Removed 30 days
-- after it was created.
create table bulk_jobs (
  instance_id text not null,
  job_id text not null,
  -- The organization whose users it is about; empty: users of the whole instance.
  organization_id text not null,
  -- The user as whom each row is done, with what the sign-in behind it amounts to (JSON).
  creator_id text not null,
  creator text not null,
  action text not null,
  -- JSON.
  arguments text not null,
  -- 1: every row is tried and rolled back.
  is_dry_run integer not null,
  state text not null check (state in ('queued', 'running', 'completed', 'canceled', 'stopped')),
  -- Why it was stopped: the slug of a fault.
  reason text,
  total integer not null,
  succeeded integer not null default 0,
  failed integer not null default 0,
  sequence bigint not null,
  created_at bigint not null,
  changed_at bigint not null,
  started_at bigint,
  ended_at bigint,
  -- The node that works on it, and until when no other does.
  claimed_by text not null default '',
  claimed_until bigint not null default 0,
  worked_at bigint not null default 0,
  primary key (instance_id, job_id)
);
create index bulk_jobs_by_creation on bulk_jobs (instance_id, created_at, job_id);
create index bulk_jobs_by_organization on bulk_jobs (instance_id, organization_id, created_at, job_id);
-- One at a time in each organization.
create unique index bulk_jobs_running on bulk_jobs (instance_id, organization_id) where state = 'running';
create index bulk_jobs_unfinished on bulk_jobs (worked_at, created_at) where state in ('queued', 'running');
create index bulk_jobs_by_age on bulk_jobs (created_at);

create table bulk_job_rows (
  instance_id text not null,
  job_id text not null,
  position integer not null,
  user_id text not null,
  outcome text check (outcome in ('succeeded', 'failed')),
  -- The try that decided it, written in the unit of work of the operation.
  attempt text,
  -- Why it failed: a slug, and the sentence in the language of the user who made the job.
  error_id text,
  error_message text,
  settled_at bigint,
  created_at bigint not null,
  primary key (instance_id, job_id, position)
);
create index bulk_job_rows_pending on bulk_job_rows (instance_id, job_id, position) where outcome is null;
create index bulk_job_rows_by_outcome on bulk_job_rows (instance_id, job_id, outcome, position) where outcome is not null;
create index bulk_job_rows_by_age on bulk_job_rows (created_at);
