-- Whether a key was registered with a code from a message, which its reader alone could do. Keys from before count as
-- those that users registered while they were signed in: they cannot be told apart.
alter table webauthn_credentials add column is_from_message integer not null default 0;
