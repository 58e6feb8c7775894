-- What users got to act for others ends with their access.
create index token_family_sources_by_actor on token_family_sources (instance_id, source_id) where kind = 'user';
