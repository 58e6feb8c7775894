-- Clients that people were signed in to with a session and that want to be told when it ends (OpenID Connect Back-Channel Logout).
create table session_clients (
  instance_id text not null,
  session_id text not null,
  client_id text not null,
  primary key (instance_id, session_id, client_id)
);
create index session_clients_by_client on session_clients (instance_id, client_id);

-- Clients that have to be told of the end of a session: written with its end, gone when they know it or it is given up.
create table logout_notices (
  instance_id text not null,
  session_id text not null,
  client_id text not null,
  user_id text not null,
  owner_id text not null,
  -- How often it was tried. Each try is claimed by counting it.
  attempts integer not null,
  next_attempt_at bigint not null,
  created_at bigint not null,
  primary key (instance_id, session_id, client_id)
);
create index logout_notices_by_attempt on logout_notices (next_attempt_at);
create index logout_notices_by_client on logout_notices (instance_id, client_id);
