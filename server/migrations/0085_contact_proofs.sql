-- How the address and the number were proven, JSON: by a code, by whose word, by which provider. Null where that is unknown or they are not proven.
alter table users add column email_proof text;
alter table users add column phone_proof text;
-- When the organization published the proof that the domain is its own; null where the domain was only claimed.
alter table organization_domains add column proven_at bigint;
