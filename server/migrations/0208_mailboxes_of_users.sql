-- Users with an address, by organization: where very many have one, its organizations are found without all of these users. The key is written in
-- another way than in `users_by_email`, so that no engine reads the users of other organizations as well, whatever statistics it has.
drop index users_by_email_in_organization;
create index users_by_email_in_organization on users (instance_id, (email_key || ''), organization_id,
  (case when coalesce(is_email_verified, 0) = 0 then 3 when email_proven_at is not null then 0 when is_email_proof_wide = 1 then 1 else 2 end),
  (case when state = 'active' then 0 else 1 end), coalesce(email_proven_at, email_verified_at, 0), user_id)
  where email_key is not null;
-- The same for phone numbers.
drop index users_by_phone_in_organization;
create index users_by_phone_in_organization on users (instance_id, (phone || ''), organization_id,
  (case when coalesce(is_phone_verified, 0) = 0 then 3 when phone_proof = '{"by":"code"}' then 0 when is_phone_proof_wide = 1 then 1 else 2 end),
  (case when state = 'active' then 0 else 1 end), coalesce(phone_verified_at, 0), user_id)
  where phone is not null;

-- Users whose address has a "+", by their mailbox, which is the address without "+" and what follows it up to the "@".
create index users_by_mailbox on users (instance_id,
  (substr(email_key, 1, length(email_key) - length(ltrim(email_key, replace(email_key, '+', ''))))
    || substr(email_key, length(rtrim(email_key, replace(email_key, '@', ''))))),
  (case when coalesce(is_email_verified, 0) = 0 then 3 when email_proven_at is not null then 0 when is_email_proof_wide = 1 then 1 else 2 end),
  (case when state = 'active' then 0 else 1 end), coalesce(email_proven_at, email_verified_at, 0), user_id)
  where email_key <> replace(email_key, '+', '');
create index users_by_mailbox_in_organization on users (instance_id,
  (substr(email_key, 1, length(email_key) - length(ltrim(email_key, replace(email_key, '+', ''))))
    || substr(email_key, length(rtrim(email_key, replace(email_key, '@', '')))) || ''), organization_id,
  (case when coalesce(is_email_verified, 0) = 0 then 3 when email_proven_at is not null then 0 when is_email_proof_wide = 1 then 1 else 2 end),
  (case when state = 'active' then 0 else 1 end), coalesce(email_proven_at, email_verified_at, 0), user_id)
  where email_key <> replace(email_key, '+', '');
