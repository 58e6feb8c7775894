-- From when until when the user had second factors that were removed since: a sign-in of that time stays one that
-- demands two factors, also after they were replaced.
alter table users add column former_second_factor_since bigint;
alter table users add column former_second_factor_until bigint;
-- Whether the user had a key of their own when a message let its reader begin to register this one; null for other
-- keys, and for keys from before it was kept.
alter table webauthn_credentials add column is_beside_own integer;
