-- When a next key begins to sign, if an administrator decided it; null for the usual time before the end of the active certificate.
alter table saml_keys add column signs_at bigint;
