-- Principals that are not users have ids that no user can have. "login" and "operator" may be chosen as the id of an account, which was then taken for the creator
-- of the sessions of the hosted login.
drop index sessions_by_creator;
update sessions set creator_id = '/' || creator_id where creator_id in ('login', 'operator');
create index sessions_by_creator on sessions (instance_id, creator_id, created_at, session_id) where creator_id <> '/login';
-- Whether an administrator of the instance deactivated an organization: then its own administrators cannot activate it. Of those that are inactive
-- it is not known.
alter table organizations add column is_deactivated_by_instance integer not null default 0;
update organizations set is_deactivated_by_instance = 1 where state = 'inactive';
