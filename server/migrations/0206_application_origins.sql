-- The origins to which links in messages may lead for an application: one message asks for one origin, however many applications an
-- organization has. Only active applications have any, and those of strangers only once an administrator vouches for them.
create table application_origins (
  instance_id text not null,
  application_id text not null,
  origin text not null,
  organization_id text not null,
  primary key (instance_id, application_id, origin)
);
create index application_origins_by_origin on application_origins (instance_id, organization_id, origin);

-- Neither engine parses addresses, so the program fills the table, in the transaction of this migration.
-- step: application_origins
