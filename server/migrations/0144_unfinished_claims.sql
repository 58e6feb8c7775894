-- Set when the organization became the owner of the domain and too many users of others have names in it for one unit of work: when the latest
-- portion of them was handled, and up to which user. Null when all were.
alter table organization_domains add column unfinished_claim text;
create index organization_domains_unfinished on organization_domains (instance_id) where unfinished_claim is not null;
-- The domain that another organization proved last of those that names of the user were in, where the user was told of it.
alter table users add column told_of_domain text;
