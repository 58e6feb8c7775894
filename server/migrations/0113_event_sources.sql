-- The network that the request of an event came from (`networkOf`); null for what the server did on its own, and before this version.
alter table events add column source text;
