-- When a provider began to get a message: from then on it may have it, so nobody sends it a second time. Null before, and again after a refusal.
alter table notifications add column handed_over_at bigint;
create index notifications_handed_over on notifications (instance_id, next_attempt_at) where state = 'queued' and handed_over_at is not null;
