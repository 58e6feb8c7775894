-- Indexes of lists had a condition on the sequence, which each change of a row counts up: so PostgreSQL wrote all indexes of users anew with every
-- sign-in. Their condition is on what never changes now. As before it is true of all rows, and nothing else implies it: only lists have it, and only
-- they find these indexes.
drop index users_by_display_name;
create index users_by_display_name on users (instance_id, replace(lower(display_name), 'ς', 'σ'), user_id) where (user_id || '') <> '';
drop index users_by_folded_username;
create index users_by_folded_username on users (instance_id, replace(lower(username), 'ς', 'σ'), user_id) where (user_id || '') <> '';
drop index users_by_given_name;
create index users_by_given_name on users (instance_id, replace(lower(coalesce(given_name, '')), 'ς', 'σ'), user_id) where (user_id || '') <> '';
drop index users_by_family_name;
create index users_by_family_name on users (instance_id, replace(lower(coalesce(family_name, '')), 'ς', 'σ'), user_id) where (user_id || '') <> '';
drop index users_by_nick_name;
create index users_by_nick_name on users (instance_id, replace(lower(coalesce(nick_name, '')), 'ς', 'σ'), user_id) where (user_id || '') <> '';
drop index users_by_folded_email;
create index users_by_folded_email on users (instance_id, replace(lower(coalesce(email, '')), 'ς', 'σ'), user_id) where (user_id || '') <> '';
drop index users_by_state;
create index users_by_state on users (instance_id, state, user_id) where (user_id || '') <> '';
drop index users_by_kind;
create index users_by_kind on users (instance_id, kind, user_id) where (user_id || '') <> '';
drop index users_by_organization;
create index users_by_organization on users (instance_id, organization_id, created_at, user_id) where (user_id || '') <> '';
drop index authorizations_by_user_organization;
create index authorizations_by_user_organization on authorizations (instance_id, user_organization_id, authorization_id) where (authorization_id || '') <> '';
drop index authorizations_by_change;
create index authorizations_by_change on authorizations (instance_id, changed_at, authorization_id) where (authorization_id || '') <> '';
drop index authorizations_by_user;
create index authorizations_by_user on authorizations (instance_id, user_id, authorization_id) where (authorization_id || '') <> '';
drop index authorizations_by_owner;
create index authorizations_by_owner on authorizations (instance_id, organization_id, authorization_id) where (authorization_id || '') <> '';

-- engine: postgres
-- Room for the next version of a row beside it: then a change that touches no index writes none.
alter table users set (fillfactor = 90);
-- engine: both
