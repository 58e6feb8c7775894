-- engine: postgres
-- lower() of PostgreSQL follows the collation of its argument, and ours orders by bytes and knows the case of ASCII only.
create function doorward_lower(value text) returns text
  language sql immutable strict parallel safe
  as $$ select lower(value collate "und-x-icu") collate "C" $$;
-- engine: both

-- What happened to every resource: written in the transaction that made it happen, never changed.
create table events (
  instance_id text not null,
  aggregate_type text not null,
  aggregate_id text not null,
  sequence bigint not null,
  type text not null,
  owner_id text not null,
  -- What the record is now, JSON. Never a secret.
  payload text not null,
  editor_user_id text,
  editor_client_id text,
  request_id text not null,
  created_at bigint not null,
-- engine: sqlite
  -- Place in the feed. Never given twice, also after the newest events were deleted.
  position integer primary key autoincrement,
  unique (instance_id, aggregate_type, aggregate_id, sequence)
-- engine: postgres
  -- Place in the feed. Positions are given before the commit, so a reader follows both numbers (event/feed.ts).
  transaction_id xid8 not null default pg_current_xact_id(),
  position bigint not null generated always as identity,
  primary key (instance_id, aggregate_type, aggregate_id, sequence)
-- engine: both
);
create index events_by_type on events (instance_id, type, position);
create index events_by_owner on events (instance_id, owner_id, position);
create index events_by_editor on events (instance_id, editor_user_id, position);
create index events_by_creation on events (instance_id, created_at, position);
-- engine: postgres
create unique index events_feed on events (transaction_id, position);
-- engine: both

-- How far each follower of the feed came. One row a follower, for all instances.
create table feed_cursors (
  follower text not null primary key,
  -- Transaction id (PostgreSQL; '0' on SQLite) and position of the last event that was handled.
  transaction_id text not null,
  position bigint not null,
  changed_at bigint not null
);
