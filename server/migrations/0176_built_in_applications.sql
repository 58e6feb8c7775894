-- The applications that come with an instance, by what they are: console. A row is made once, and stays as long as the
-- instance.
create table built_in_applications (
  instance_id text not null,
  name text not null,
  application_id text not null,
  primary key (instance_id, name)
);

create unique index built_in_applications_by_application on built_in_applications (instance_id, application_id);
