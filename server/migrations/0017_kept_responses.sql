-- The answer of a request whose browser fetches it from us (form_post, answered by API), sealed under the master key, until it is fetched.
alter table auth_requests add column response text;
-- Hash of the key with which it is fetched, once.
alter table auth_requests add column response_key_hash text;
