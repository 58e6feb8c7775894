-- When the session of a client expires: then the client is told, as of every other end. Null: never.
alter table session_clients add column expires_at bigint;
update session_clients set expires_at = (select s.expires_at from sessions s
  where s.instance_id = session_clients.instance_id and s.session_id = session_clients.session_id);
create index session_clients_by_expiry on session_clients (expires_at) where expires_at is not null;
