-- Attempts to sign in to an application, and those with a failure: among very many there may be few.
create index sign_in_attempts_by_client on sign_in_attempts (instance_id, client_id, started_at, attempt_id)
  where client_id is not null;
create index sign_in_attempts_with_failures on sign_in_attempts (instance_id, started_at, attempt_id) where has_failed = 1;
