-- Users whose password or second factor is blocked, for the filter of lists; those who are locked have a state.
create index users_with_blocked_password on users (instance_id, user_id) where password_blocked_at is not null;
create index user_factors_blocked on user_factors (instance_id, user_id) where blocked_at is not null;
