-- Since when the present number of a user counts as verified; null when it does not. Where several users have a number on the word of others, the
-- first of them signs in with it: a later word takes nothing from an earlier one.
alter table users add column phone_verified_at bigint;

update users set phone_verified_at = coalesce((select max(e.created_at) from events e
  where e.instance_id = users.instance_id and e.aggregate_type = 'user' and e.aggregate_id = users.user_id
    and e.type in ('user.phone.set', 'user.phone.verified')), created_at)
  where is_phone_verified = 1;
