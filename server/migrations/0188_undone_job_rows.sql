-- 1: the rows that the job left undone, when it was canceled or stopped, are deleted.
alter table bulk_jobs add column is_cleared integer not null default 0;
create index bulk_jobs_uncleared on bulk_jobs (instance_id, job_id) where state in ('canceled', 'stopped') and is_cleared = 0;
