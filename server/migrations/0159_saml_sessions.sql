-- How a SAML service provider knows the user of a session, as JSON: without it, it cannot be told that the session ended. Null for other clients.
alter table session_clients add column name_id text;
alter table logout_notices add column name_id text;
