-- Which sessions somebody made by API, and which an organization's people have: what those may list who do not see all. Sessions of the hosted login
-- have no creator among people.
create index sessions_by_creator on sessions (instance_id, creator_id, created_at, session_id) where creator_id <> 'login';
create index sessions_by_organization on sessions (instance_id, organization_id, created_at, session_id) where organization_id is not null;
