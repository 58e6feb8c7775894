-- Lists of role assignments: an index in each of their orders. Whose user is of which organization is kept here, because they are sorted by it.
alter table authorizations add column user_organization_id text not null default '';
update authorizations set user_organization_id = coalesce((select u.organization_id from users u
  where u.instance_id = authorizations.instance_id and u.user_id = authorizations.user_id), '');
-- All rows have a sequence. Only lists say so, and only they find these: as long as PostgreSQL has no statistics, it would look for the roles of a
-- user in any index that begins with the instance.
create index authorizations_by_user_organization on authorizations (instance_id, user_organization_id, authorization_id) where sequence > 0;
create index authorizations_by_change on authorizations (instance_id, changed_at, authorization_id) where sequence > 0;
create index authorizations_by_user on authorizations (instance_id, user_id, authorization_id) where sequence > 0;
create index authorizations_by_owner on authorizations (instance_id, organization_id, authorization_id) where sequence > 0;
