-- Lists of deliveries that failed find them without reading those that did not.
create index deliveries_failed on deliveries (instance_id, created_at) where failure is not null;
create index notifications_failed on notifications (instance_id, created_at) where last_error is not null;
-- Why the last attempt failed, in a word.
alter table logout_notices add column failure text;
create index logout_notices_failed on logout_notices (instance_id, created_at) where failure is not null;
create index quota_notifications_failed on quota_notifications (instance_id, created_at) where failure is not null;

-- When an instance first reached a milestone.
create table milestones (
  instance_id text not null,
  type text not null,
  reached_at bigint not null,
  primary key (instance_id, type)
);
insert into milestones (instance_id, type, reached_at)
  select instance_id, 'instance_created', created_at from instances where state = 'active';
insert into milestones (instance_id, type, reached_at)
  select p.instance_id, 'project_created', min(p.created_at) from projects p
    join instances i on i.instance_id = p.instance_id and i.state = 'active' and p.project_id <> i.system_project_id
    group by p.instance_id;
insert into milestones (instance_id, type, reached_at)
  select a.instance_id, 'application_created', min(a.created_at) from applications a
    join instances i on i.instance_id = a.instance_id and i.state = 'active' and a.project_id <> i.system_project_id
    group by a.instance_id;
