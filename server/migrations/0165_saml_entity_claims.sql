-- Entity ids of SAML service providers belong to the organization that registered them first, also after their application is gone: a
-- service provider goes on trusting this instance, and would take what another organization says for what its own said.
create table saml_entity_claims (
  instance_id text not null,
  entity_id text not null,
  organization_id text not null,
  primary key (instance_id, entity_id)
);

insert into saml_entity_claims (instance_id, entity_id, organization_id)
  select p.instance_id, p.entity_id, a.organization_id from saml_partners p
  join applications a on a.instance_id = p.instance_id and a.application_id = p.application_id;
