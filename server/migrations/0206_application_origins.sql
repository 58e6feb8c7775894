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

-- The start page reads the applications of the user's organization and of lent projects, not those of all organizations.
drop index applications_that_initiate_login;
create index applications_to_launch on applications (instance_id, organization_id, name_key, application_id)
  where initiates_login = 1 and state = 'active' and kind = 'oidc';
create index applications_of_projects_to_launch on applications (instance_id, project_id, name_key)
  where initiates_login = 1 and state = 'active' and kind = 'oidc';
create index project_grants_recognized on project_grants (instance_id, granted_organization_id, project_id)
  where is_recognized = 1 and state = 'active';
