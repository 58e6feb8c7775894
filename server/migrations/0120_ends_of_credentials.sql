-- When the key by which a service account got its tokens ends: by them it makes itself no credential that lasts longer. Null for other tokens, and
-- for those from before this, which live for hours.
alter table token_families add column credential_expires_at bigint;
