-- Principals that are not users have ids that no user can have. "login" and "operator" may be chosen as the id of an account, which was then taken for the creator
-- of the sessions of the hosted login.
drop index sessions_by_creator;
update sessions set creator_id = '/' || creator_id where creator_id in ('login', 'operator');
create index sessions_by_creator on sessions (instance_id, creator_id, created_at, session_id) where creator_id <> '/login';
