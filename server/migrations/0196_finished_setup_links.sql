-- When the holder of a setup link ended it, unless it was revoked since. `revoked_at` is set as well. Null: the holder did
-- not, or that is not known.
alter table setup_links add column finished_at bigint;
