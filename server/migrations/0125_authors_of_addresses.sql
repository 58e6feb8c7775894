-- Who named the address or the number of a user, as what they administered then (JSON); empty where the user did. Null where that is not known: it is
-- from before this.
alter table users add column email_author text;
alter table users add column phone_author text;
