-- Whether a link that counts in the whole instance came beside what other organizations said of the account: it ends when a user who signed in by
-- other means proves the account.
alter table identity_links add column is_yielding integer not null default 0;
