-- Texts inside of names of organizations, in whatever case. The embedded database looks through the names in the index of migration 0069 instead.
-- engine: postgres
do $$
begin
  create extension if not exists pg_trgm;
  create index organizations_by_words on organizations using gin (replace(doorward_lower(name), 'ς', 'σ') gin_trgm_ops)
    with (gin_pending_list_limit = 512);
exception when insufficient_privilege or undefined_file or feature_not_supported then
  raise notice 'without pg_trgm, searches inside of names read all organizations';
end $$;
-- engine: both
