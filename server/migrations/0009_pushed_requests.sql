-- Authorization requests that clients pushed (RFC 9126), until a browser comes with the reference: once.
create table pushed_requests (
  instance_id text not null,
  -- Hash of the reference in `request_uri`.
  reference_hash text not null,
  client_id text not null,
  -- The parameters as they were checked, JSON.
  parameters text not null,
  created_at bigint not null,
  expires_at bigint not null,
  primary key (instance_id, reference_hash)
);
create index pushed_requests_by_expiry on pushed_requests (expires_at);
