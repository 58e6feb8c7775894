import type { Call } from "../../call/index.ts";
import type { Database } from "../../database/index.ts";
import { authorizeOrganization } from "./authorize-organization.ts";
import { listOrganizationDomainRows } from "./organization-domain.store.ts";
import type { OrganizationDomain } from "./organization-domain.ts";
import type { OrganizationDomainSearch } from "./organization-search.ts";

/** Lists the domains of an organization that the caller may read. */
export async function listOrganizationDomains(
  deps: { readonly database: Database },
  call: Call,
  search: OrganizationDomainSearch,
): Promise<{ readonly domains: readonly OrganizationDomain[]; readonly total: number }> {
  const { read } = deps.database;
  await authorizeOrganization(read, call, search.organizationId, "org.read");
  return listOrganizationDomainRows(read, call.instanceId, search);
}
