-- When the browser brought its `state` back: once. The hash stays, so that whoever brings it again is led to where the attempt stands.
alter table identity_intents add column state_spent_at bigint;
-- Why the attempt came to nothing: the slug of its sentence. Null for others.
alter table identity_intents add column failure text;
-- 1 when the person wants to tie the account to a user who exists, and signs in as this one first.
alter table identity_intents add column wants_link bigint not null default 0;
-- What the provider posted across sites, encrypted by the vault, until the browser comes back with its cookie.
alter table identity_intents add column sealed_answer text;
-- The page of ours that the person signs in for, by word; null when it is none.
alter table identity_intents add column goal text;
-- The organization that the login led the person to, by the domain of the name that was typed; null when it led to none.
alter table identity_intents add column organization_id text;
