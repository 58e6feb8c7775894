-- Organizations by the beginning of their names, in whatever case (`database/folded.ts`): lists of the others are in the order of `name_key`,
-- which compares more than case.
create index organizations_by_folded_name on organizations (instance_id, replace(lower(name), 'ς', 'σ'), organization_id);
