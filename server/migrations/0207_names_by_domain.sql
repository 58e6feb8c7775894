-- Users by the domain of their names, which is what follows the last "@". When an organization proves a domain, names in it are found among those of
-- all users. A login name that is the username itself is in the first index alone.
create index users_by_domain_of_username on users (instance_id, substr(username_key, length(rtrim(username_key, replace(username_key, '@', ''))) + 1), user_id)
  where username_key <> replace(username_key, '@', '');
create index users_by_domain_of_login_name on users
  (instance_id, substr(login_name_key, length(rtrim(login_name_key, replace(login_name_key, '@', ''))) + 1), user_id)
  where login_name_key <> username_key;

-- Users with an address, in the order in which they have it: by what makes it theirs (a code, a word that counts in the whole instance, another word,
-- nothing), those who may sign in first, then by when. Of very many with one address, the first are found without the others.
drop index users_by_email;
create index users_by_email on users (instance_id, email_key,
  (case when coalesce(is_email_verified, 0) = 0 then 3 when email_proven_at is not null then 0 when is_email_proof_wide = 1 then 1 else 2 end),
  (case when state = 'active' then 0 else 1 end), coalesce(email_proven_at, email_verified_at, 0), user_id)
  where email_key is not null;
create index users_by_email_in_organization on users (instance_id, organization_id, email_key,
  (case when coalesce(is_email_verified, 0) = 0 then 3 when email_proven_at is not null then 0 when is_email_proof_wide = 1 then 1 else 2 end),
  (case when state = 'active' then 0 else 1 end), coalesce(email_proven_at, email_verified_at, 0), user_id)
  where email_key is not null;
-- The same for phone numbers.
drop index users_by_phone;
create index users_by_phone on users (instance_id, phone,
  (case when coalesce(is_phone_verified, 0) = 0 then 3 when phone_proof = '{"by":"code"}' then 0 when is_phone_proof_wide = 1 then 1 else 2 end),
  (case when state = 'active' then 0 else 1 end), coalesce(phone_verified_at, 0), user_id)
  where phone is not null;
create index users_by_phone_in_organization on users (instance_id, organization_id, phone,
  (case when coalesce(is_phone_verified, 0) = 0 then 3 when phone_proof = '{"by":"code"}' then 0 when is_phone_proof_wide = 1 then 1 else 2 end),
  (case when state = 'active' then 0 else 1 end), coalesce(phone_verified_at, 0), user_id)
  where phone is not null;
