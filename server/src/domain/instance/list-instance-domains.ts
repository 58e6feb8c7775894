import type { Call } from "../../call/index.ts";
import type { Database } from "../../database/index.ts";
import { authorizeInstance } from "./authorize-instance.ts";
import type { InstanceDomain } from "./instance.ts";
import { listInstanceDomainRows } from "./instance-domain.store.ts";
import type { InstanceDomainSearch } from "./instance-search.ts";

/** Lists the domains of the instance of the request, or of another one for system users. */
export async function listInstanceDomains(
  deps: { readonly database: Database },
  call: Call,
  search: InstanceDomainSearch,
): Promise<{ readonly domains: readonly InstanceDomain[]; readonly total: number }> {
  const { read } = deps.database;
  const { instanceId } = await authorizeInstance(read, call, search.instanceId || call.instanceId, {
    permission: "iam.read",
    systemPermission: "system.instance.read",
  });
  return listInstanceDomainRows(read, instanceId, search);
}
