-- What people let clients do that nobody vouches for: one row for a person and a client.
create table consents (
  instance_id text not null,
  user_id text not null,
  client_id text not null,
  -- Scopes with a space between them, as RFC 6749 §3.3 writes them; all that was ever agreed to and not withdrawn.
  scope text not null,
  sequence bigint not null,
  created_at bigint not null,
  changed_at bigint not null,
  primary key (instance_id, user_id, client_id)
);
create index consents_by_client on consents (instance_id, client_id);

-- The session whose person agreed to what this very request asks for.
alter table auth_requests add column consented_session_id text;

-- Clients that registered themselves before people were asked.
update applications set configuration = replace(configuration, '"isAudienceNarrow":true', '"isAudienceNarrow":true,"isConsentRequired":true')
where exists (select 1 from registrations r where r.instance_id = applications.instance_id
  and r.application_id = applications.application_id and r.kind <> 'token');
