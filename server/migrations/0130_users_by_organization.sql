-- The index of lists of an organization's users. A statement that looks for a name in an organization must not take it for
-- as good as the unique index of usernames, which it is to an engine without statistics.
drop index users_by_organization;
create index users_by_organization on users (instance_id, organization_id, created_at, user_id) where sequence > 0;
