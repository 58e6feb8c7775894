-- The sign-ins of a user that are under way end with a session that does not tell its browser.
create index sign_ins_by_user on sign_ins (instance_id, user_id) where sign_in_epoch is not null;
