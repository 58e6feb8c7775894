-- What the event log says of people who were deleted by earlier versions: their names, addresses, numbers and accounts elsewhere. An id that was
-- given again is left alone, because its events are those of the new person as well. Answers of identity providers named accounts in events
-- that nothing leads to from a person.
update events set payload = '{"kind":"human"}' where type = 'user.deleted' and payload like '%"kind":"human"%';
update events set payload = '{}' where aggregate_type = 'user' and type <> 'user.deleted' and payload <> '{}'
  and exists (select 1 from events d where d.instance_id = events.instance_id and d.aggregate_type = 'user'
    and d.aggregate_id = events.aggregate_id and d.type = 'user.deleted' and d.payload = '{"kind":"human"}')
  and not exists (select 1 from users u where u.instance_id = events.instance_id and u.user_id = events.aggregate_id);
update events set payload = '{}' where type = 'idpintent.succeeded';
update identity_intents set external_user_id = null, external_username = null where state = 'consumed';
