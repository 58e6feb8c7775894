-- A domain that an organization only claimed, because the instance demanded no proof, counts inside of that organization alone. What was proven has
-- effect in the whole instance, and belongs to one organization: by a published proof, by the server that formed it from the name, or on the word
-- of an administrator of the instance.
alter table organization_domains add column is_proven integer not null default 0;

-- engine: sqlite
update organization_domains as d set is_proven = 1 where is_verified = 1 and exists (select 1 from events e
  where e.instance_id = d.instance_id and e.aggregate_type = 'organization' and e.aggregate_id = d.organization_id and (
    (e.type = 'organization.created' and e.created_at = d.created_at and json_extract(e.payload, '$.primaryDomain') = d.domain)
    or (e.type = 'organization.domain.verified' and e.created_at >= d.created_at and json_extract(e.payload, '$.domain') = d.domain)
    or (e.type = 'organization.domain.added' and e.created_at = d.created_at and json_extract(e.payload, '$.domain') = d.domain
      and exists (select 1 from membership_roles m where m.instance_id = d.instance_id and m.user_id = e.editor_user_id
        and m.level = 'instance' and m.role in ('IAM_OWNER', 'IAM_ORG_MANAGER')))));
-- engine: postgres
update organization_domains as d set is_proven = 1 where is_verified = 1 and exists (select 1 from events e
  where e.instance_id = d.instance_id and e.aggregate_type = 'organization' and e.aggregate_id = d.organization_id and (
    (e.type = 'organization.created' and e.created_at = d.created_at and e.payload::json ->> 'primaryDomain' = d.domain)
    or (e.type = 'organization.domain.verified' and e.created_at >= d.created_at and e.payload::json ->> 'domain' = d.domain)
    or (e.type = 'organization.domain.added' and e.created_at = d.created_at and e.payload::json ->> 'domain' = d.domain
      and exists (select 1 from membership_roles m where m.instance_id = d.instance_id and m.user_id = e.editor_user_id
        and m.level = 'instance' and m.role in ('IAM_OWNER', 'IAM_ORG_MANAGER')))));
-- engine: both

drop index organization_domains_verified;
create unique index organization_domains_proven on organization_domains (instance_id, domain) where is_proven = 1;
create index organization_domains_claimed on organization_domains (instance_id, domain) where is_proven = 0;
-- Login names are formed of proven domains alone.
drop index organization_domains_secondary;
create index organization_domains_secondary on organization_domains (instance_id, domain, organization_id)
  where is_proven = 1 and is_primary = 0;
