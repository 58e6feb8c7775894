-- Whether a sign-in to the application can be started from our side (its initiate_login_uri): few can, and the start page looks for them.
alter table applications add column initiates_login integer not null default 0;
create index applications_that_initiate_login on applications (instance_id, name_key, application_id) where initiates_login = 1;
