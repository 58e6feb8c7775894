import { type Json, memberOf, renamed, type ServiceForm } from "../form.ts";

/** Two filters are messages here, and plain values in version 2. */
function toDomainFilter({ generatedQuery, primaryQuery, ...filter }: Json): Json {
  if (generatedQuery !== undefined)
    return { generatedFilter: memberOf({ generatedQuery }, "generatedQuery")["generated"] ?? false };
  if (primaryQuery !== undefined)
    return { primaryFilter: memberOf({ primaryQuery }, "primaryQuery")["primary"] ?? false };
  return filter;
}

/** Instances and their domains. */
export const instanceForm: ServiceForm = {
  of: "service.instance.v2.InstanceService",
  messages: {
    "instance.v2beta.Instance": renamed({ domains: "customDomains" }),
    "instance.v2beta.ListInstancesRequest": renamed({ queries: "filters" }),
    "instance.v2beta.Query": renamed({ idQuery: "inIdsFilter", domainQuery: "customDomainsFilter" }),
    "instance.v2beta.AddCustomDomainRequest": renamed({ domain: "customDomain" }),
    "instance.v2beta.RemoveCustomDomainRequest": renamed({ domain: "customDomain" }),
    "instance.v2beta.ListCustomDomainsRequest": renamed({ queries: "filters" }),
    "instance.v2beta.DomainSearchQuery": { ...renamed({ domainQuery: "domainFilter" }), toCurrent: toDomainFilter },
    "instance.v2beta.AddTrustedDomainRequest": renamed({ domain: "trustedDomain" }),
    "instance.v2beta.RemoveTrustedDomainRequest": renamed({ domain: "trustedDomain" }),
    "instance.v2beta.ListTrustedDomainsRequest": renamed({ queries: "filters" }),
    "instance.v2beta.TrustedDomainSearchQuery": renamed({ domainQuery: "domainFilter" }),
  },
};
