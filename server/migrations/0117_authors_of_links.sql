-- What the administrator who said whose an account is administered then: the link does not let in a user who administers more by now. Null where a
-- person or a provider proved the account, and for links from before this.
alter table identity_links add column author text;
