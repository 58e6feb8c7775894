-- Indexes that most rows have no value for cost every insert and serve nobody: events without an editor (tokens), families without a
-- session (service accounts), sessions without a browser (made by API) or without a token (of the hosted login).
drop index events_by_editor;
create index events_by_editor on events (instance_id, editor_user_id, position) where editor_user_id is not null;
drop index token_families_by_session;
create index token_families_by_session on token_families (instance_id, session_id) where session_id is not null;
drop index sessions_by_browser;
create index sessions_by_browser on sessions (instance_id, browser_hash) where browser_hash is not null;
drop index sessions_by_fingerprint;
create index sessions_by_fingerprint on sessions (instance_id, user_agent_fingerprint) where user_agent_fingerprint is not null;
drop index sessions_by_token;
create unique index sessions_by_token on sessions (instance_id, token_hash) where token_hash is not null;
