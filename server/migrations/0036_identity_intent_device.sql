-- The device that somebody lets in once he is signed in at the provider; null when there is none.
alter table identity_intents add column device_authorization_id text;
