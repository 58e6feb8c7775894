-- Since when the present address of a user counts as verified, and since when by a code that its reader got; null when it does not. Administrators,
-- providers and clients of the API may say of an address that it is verified; the reader of its messages beats them at sign-in.
alter table users add column email_verified_at bigint;
alter table users add column email_proven_at bigint;

update users set email_verified_at = coalesce((select max(e.created_at) from events e
  where e.instance_id = users.instance_id and e.aggregate_type = 'user' and e.aggregate_id = users.user_id
    and e.type in ('user.email.set', 'user.email.verified')), created_at)
  where is_email_verified = 1;
-- Accounts that were made with a verified address by nobody else, and without a provider, were made after the code of that address.
-- engine: sqlite
update users set email_proven_at = email_verified_at where is_email_verified = 1
  and exists (select 1 from events e where e.instance_id = users.instance_id and e.aggregate_type = 'user' and e.aggregate_id = users.user_id
    and json_extract(e.payload, '$.email') = users.email and (e.type = 'user.email.verified'
      or (e.type = 'user.created' and e.editor_user_id is null and json_extract(e.payload, '$.isEmailVerified') = 1
        and not exists (select 1 from events l where l.instance_id = e.instance_id and l.aggregate_type = 'user'
          and l.aggregate_id = e.aggregate_id and l.type = 'user.human.externalidp.added' and l.created_at = e.created_at))))
  and not exists (select 1 from events e where e.instance_id = users.instance_id and e.aggregate_type = 'user' and e.aggregate_id = users.user_id
    and e.type like 'user.%_code.added' and json_extract(e.payload, '$.isReturned') = 1);
-- engine: postgres
update users set email_proven_at = email_verified_at where is_email_verified = 1
  and exists (select 1 from events e where e.instance_id = users.instance_id and e.aggregate_type = 'user' and e.aggregate_id = users.user_id
    and e.payload::json ->> 'email' = users.email and (e.type = 'user.email.verified'
      or (e.type = 'user.created' and e.editor_user_id is null and e.payload::json ->> 'isEmailVerified' = 'true'
        and not exists (select 1 from events l where l.instance_id = e.instance_id and l.aggregate_type = 'user'
          and l.aggregate_id = e.aggregate_id and l.type = 'user.human.externalidp.added' and l.created_at = e.created_at))))
  and not exists (select 1 from events e where e.instance_id = users.instance_id and e.aggregate_type = 'user' and e.aggregate_id = users.user_id
    and e.type like 'user.%_code.added' and e.payload::json ->> 'isReturned' = 'true');
-- engine: both
