-- Claims about the user that the authorization request asked for by name, JSON; null when it asked for none.
alter table token_families add column claims text;
