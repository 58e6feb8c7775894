-- The personal access token with which a setup link was created: the link ends with it. Null: it was none, or that is not
-- known.
alter table setup_links add column creator_token_id text;
