-- SHA-256 thumbprint of the key to which tokens are bound (RFC 9449 §6); null for bearer tokens.
alter table access_tokens add column key_thumbprint text;
-- Key that every refresh of the family must prove: families of public clients alone, others prove themselves (RFC 9449 §5).
alter table token_families add column key_thumbprint text;
