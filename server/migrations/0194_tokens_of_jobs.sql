-- The access token by which the job was created: its row is kept as long as the job goes on, so that its revocation is
-- not forgotten. Jobs from before this migration end when the row is gone.
alter table bulk_jobs add column token_id text;
create index bulk_jobs_by_token on bulk_jobs (instance_id, token_id) where state in ('queued', 'running');
