-- The requests of a browser that wait, in the order in which they were made: of very many that were answered none is read.
create index auth_requests_waiting_by_browser on auth_requests (instance_id, browser_hash, created_at, auth_request_id)
  where answered_at is null and browser_hash is not null;
drop index auth_requests_by_browser;
