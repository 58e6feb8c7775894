-- Whom a phone number means that somebody signs in with.
create index users_by_phone on users (instance_id, phone) where phone is not null;
