-- Whether the proof of an address or number counts in the whole instance (`reachesInstance`): among users who have one address on the word
-- of others, such a word comes before that of a single organization's administrators, whichever was given first.
alter table users add column is_email_proof_wide integer not null default 0;
alter table users add column is_phone_proof_wide integer not null default 0;
-- engine: sqlite
update users set is_email_proof_wide = 1 where email_proof is not null and (json_extract(email_proof, '$.by') = 'code'
  or (json_extract(email_proof, '$.by') in ('administrator', 'import') and json_extract(email_proof, '$.level') <> 'organization')
  or (json_extract(email_proof, '$.by') = 'provider' and json_extract(email_proof, '$.organizationId') = ''));
update users set is_phone_proof_wide = 1 where phone_proof is not null and (json_extract(phone_proof, '$.by') = 'code'
  or (json_extract(phone_proof, '$.by') in ('administrator', 'import') and json_extract(phone_proof, '$.level') <> 'organization')
  or (json_extract(phone_proof, '$.by') = 'provider' and json_extract(phone_proof, '$.organizationId') = ''));
-- engine: postgres
update users set is_email_proof_wide = 1 where email_proof is not null and (email_proof::json ->> 'by' = 'code'
  or (email_proof::json ->> 'by' in ('administrator', 'import') and email_proof::json ->> 'level' <> 'organization')
  or (email_proof::json ->> 'by' = 'provider' and email_proof::json ->> 'organizationId' = ''));
update users set is_phone_proof_wide = 1 where phone_proof is not null and (phone_proof::json ->> 'by' = 'code'
  or (phone_proof::json ->> 'by' in ('administrator', 'import') and phone_proof::json ->> 'level' <> 'organization')
  or (phone_proof::json ->> 'by' = 'provider' and phone_proof::json ->> 'organizationId' = ''));
