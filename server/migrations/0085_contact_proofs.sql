-- How the address and the number were proven, JSON: by a code, by whose word, by which provider. Null where that is unknown or they are not proven.
alter table users add column email_proof text;
alter table users add column phone_proof text;
