-- References that work once, from when their request was answered: those of pushed requests (RFC 9126), and request objects with a `jti`.
create table answered_references (
  instance_id text not null,
  -- Hash of what brought the request.
  reference_hash text not null,
  -- Until when a request of the same reference could be waiting for its answer.
  expires_at bigint not null,
  primary key (instance_id, reference_hash)
);
create index answered_references_by_expiry on answered_references (expires_at);
