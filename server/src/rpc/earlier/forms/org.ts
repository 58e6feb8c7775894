import { type Json, listOf, memberOf, renamed, type ServiceForm } from "../form.ts";

const organizationId = renamed({ id: "organizationId" });
const usualLimit = 100;

/** The dates of a record are members of its details in version 2. */
function withDates(organization: Json): Json {
  const { creationDate, changeDate } = memberOf(organization, "details");
  return { ...organization, creationDate, changedDate: changeDate };
}

/** Users who were created, and those who existed before, as the request named them. */
function toCreated(response: Json, request: Json): Json {
  const created = listOf(response, "createdAdmins").map((createdAdmin) => ({ createdAdmin }));
  const assigned = listOf(request, "admins")
    .filter(({ userId }) => userId !== undefined)
    .map(({ userId }) => ({ assignedAdmin: { userId } }));
  const { creationDate, changeDate } = memberOf(response, "details");
  return { ...response, creationDate: creationDate ?? changeDate, organizationAdmins: [...created, ...assigned] };
}

function toPage(response: Json, request: Json): Json {
  const { totalResult } = memberOf(response, "details");
  const { limit } = memberOf(request, "query");
  return { ...response, pagination: { totalResult, appliedLimit: String(limit ?? usualLimit) } };
}

/** Organizations. */
export const orgForm: ServiceForm = {
  of: "service.org.v2.OrganizationService",
  methods: { CreateOrganization: "AddOrganization" },
  messages: {
    "org.v2beta.CreateOrganizationRequest": organizationId,
    "org.v2beta.CreateOrganizationResponse": { ...organizationId, fromCurrent: toCreated },
    "org.v2beta.UpdateOrganizationRequest": organizationId,
    "org.v2beta.DeleteOrganizationRequest": organizationId,
    "org.v2beta.DeactivateOrganizationRequest": organizationId,
    "org.v2beta.ActivateOrganizationRequest": organizationId,
    "org.v2beta.ListOrganizationsRequest": renamed({ pagination: "query", filter: "queries" }),
    "org.v2beta.ListOrganizationsResponse": { ...renamed({ organizations: "result" }), fromCurrent: toPage },
    "org.v2beta.OrganizationSearchFilter": renamed({
      nameFilter: "nameQuery",
      domainFilter: "domainQuery",
      stateFilter: "stateQuery",
      idFilter: "idQuery",
    }),
    "org.v2beta.Organization": { fromCurrent: withDates },
    "org.v2beta.ListOrganizationMetadataRequest": renamed({ filter: "filters" }),
    "org.v2beta.DomainSearchFilter": renamed({ domainNameFilter: "domainFilter" }),
    "org.v2beta.DomainNameFilter": renamed({ name: "domain" }),
    "org.v2beta.Domain": renamed({ domainName: "domain" }),
    "metadata.v2beta.MetadataQuery": renamed({ keyQuery: "keyFilter" }),
  },
};
