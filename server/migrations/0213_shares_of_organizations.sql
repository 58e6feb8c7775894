-- When an organization last had its turn.
create index bulk_jobs_by_turn on bulk_jobs (instance_id, organization_id, worked_at);
-- Projects that an owner lent to an organization which has not recognized that.
create index project_grants_unrecognized on project_grants (instance_id, organization_id, granted_organization_id)
  where is_recognized = 0;
