-- When an organization last had its turn.
create index bulk_jobs_by_turn on bulk_jobs (instance_id, organization_id, worked_at);
