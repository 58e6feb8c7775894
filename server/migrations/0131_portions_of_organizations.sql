-- An organization with much in it is deleted in portions. This is set before the first of them: when that was, and by which request. Then the
-- organization is inactive, and stays so until it is gone.
alter table organizations add column deletion text;
create index organizations_in_deletion on organizations (instance_id) where deletion is not null;
-- The request that forms the login names of the organization's users in portions; the newest counts.
alter table organizations add column naming text;
