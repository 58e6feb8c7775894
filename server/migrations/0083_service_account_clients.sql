-- Tokens of service accounts named their client by the login name, which may be the id of a foreign client. They name the user's id from now on; what
-- was issued before is renamed, its own audience first.
update access_tokens set audience = (select f.user_id from token_families f
    where f.instance_id = access_tokens.instance_id and f.family_id = access_tokens.family_id)
  where exists (select 1 from token_families f
    where f.instance_id = access_tokens.instance_id and f.family_id = access_tokens.family_id
      and f.application_id is null and f.user_id is not null and f.client_id = access_tokens.audience);
update token_families set audience = user_id
  where application_id is null and user_id is not null and audience = client_id;
update token_families set client_id = user_id where application_id is null and user_id is not null;
