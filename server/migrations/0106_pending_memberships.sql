-- Roles that were offered to a user of another organization, and neither accepted nor declined yet. They give nothing: what users may do is
-- read from membership_roles alone.
create table pending_membership_roles (
  instance_id text not null,
  level text not null,
  resource_id text not null,
  user_id text not null,
  role text not null,
  primary key (instance_id, user_id, level, resource_id, role)
);

-- When the user accepted the position; null where there was nothing to accept, as for all positions until now. Names of users of other
-- organizations are shown where they accepted.
alter table memberships add column accepted_at bigint;
