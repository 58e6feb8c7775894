-- A registration access token lasts no longer than what gave it: the position of the user who registered the client (null
-- for clients that registered without a token), and the application as the client left it. Any other change of the
-- application makes its sequence another one.
alter table registrations add column registrar_id text;
alter table registrations add column token_sequence bigint;
alter table registrations add column token_issued_at bigint;
update registrations set token_issued_at = created_at, token_sequence = (select a.sequence from applications a
  where a.instance_id = registrations.instance_id and a.application_id = registrations.application_id)
where token_hash is not null;
-- By whom earlier clients were registered is not known, nor what administrators changed of those that they vouch for.
update registrations set token_hash = null where kind = 'token' or exists (select 1 from applications a
  where a.instance_id = registrations.instance_id and a.application_id = registrations.application_id
    and a.requires_consent = 0);
