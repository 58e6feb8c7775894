import { type Call, requireCaller } from "../../call/index.ts";
import type { Database } from "../../database/index.ts";
import { listOrganizationRows } from "./list-organizations.store.ts";
import type { Organization } from "./organization.ts";
import type { OrganizationSearch } from "./organization-search.ts";

/** Lists the organizations that the caller may read; hidden ones are not counted either. */
export function listOrganizations(
  deps: { readonly database: Database },
  call: Call,
  search: OrganizationSearch,
): Promise<{ readonly organizations: readonly Organization[]; readonly total: number }> {
  const reach = requireCaller(call).access.reach("org.read");
  return listOrganizationRows(deps.database.read, call.instanceId, { reach, search });
}
