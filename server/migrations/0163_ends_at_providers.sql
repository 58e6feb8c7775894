-- The session here that a session at a provider opened or renewed: it ends with it, also after another answer renewed it. Null before.
alter table provider_sessions add column session_id text;
-- When the provider ended its session: nothing goes on with an answer from before. Null means it has not.
alter table provider_sessions add column ended_at bigint;
update provider_sessions set session_id = (select min(s.session_id) from sessions s
  where s.instance_id = provider_sessions.instance_id and s.user_id = provider_sessions.user_id
    and s.factors like '%"intentId":"' || provider_sessions.intent_id || '"%')
  where user_id is not null;
