-- The administrator who gave a user a credential, as what they administered then (JSON); empty where the user chose it. Null where that is not known: it
-- is from before this.
alter table users add column password_author text;
alter table webauthn_credentials add column author text;
-- What others know or control of what the first factors of a session rest on (JSON list). Null for sessions from before this.
alter table sessions add column prepared_by text;
