-- Who may read an attempt at an identity provider that a person began without the permission to write sessions. Attempts from before have
-- none: whoever holds their token reads them, for the hour and a half that they live.
alter table identity_intents add column starter_id text;
create index identity_intents_by_starter on identity_intents (instance_id, starter_id) where starter_id is not null;
-- Messages that tell of a change, which are sent after those with codes. The index finds the next message of each organization, so that they
-- take turns.
alter table notifications add column is_notice integer not null default 0;
update notifications set is_notice = 1 where state = 'queued' and kind in ('email_changed', 'phone_changed', 'username_changed',
  'factor_added', 'factor_removed', 'link_added', 'link_removed', 'password_changed', 'domain_claimed');
create index notifications_by_turn on notifications (instance_id, channel, is_notice, organization_id, next_attempt_at)
  where state = 'queued' and handed_over_at is null;
