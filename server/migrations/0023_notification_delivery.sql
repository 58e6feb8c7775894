-- Messages are sent instance by instance and channel by channel, so that one slow provider holds up nobody else.
drop index notifications_due;
create index notifications_due on notifications (instance_id, channel, next_attempt_at) where state = 'queued';

-- Every message has an end: who did not get it in three days is not helped by it.
update notifications set expires_at = created_at + 259200000 where expires_at is null;
create index notifications_by_expiry on notifications (state, expires_at);
