-- Keys and personal access tokens of an account by their end: those that are valid are counted, and found, without those that ended.
create index user_keys_by_expiry on user_keys (instance_id, user_id, expires_at);
create index personal_access_tokens_by_expiry on personal_access_tokens (instance_id, user_id, expires_at);
