-- What a message is about besides its person, where a person may have several at a time (the session that a one-time code is for). A newer
-- message takes the place of one that was not sent yet only where both are about the same.
alter table notifications add column subject_id text not null default '';
