-- Who could have opened the session in which a user agreed (JSON, as the authors of credentials); empty where the user alone could. Null where that is
-- not known: it is from before this.
alter table consents add column author text;
