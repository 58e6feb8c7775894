import { type Call, requirePermission } from "../../call/index.ts";
import type { Database } from "../../database/index.ts";
import type { InstanceWithDomains } from "./get-instance.ts";
import { listDomainsOfInstances } from "./instance-domain.store.ts";
import type { InstanceSearch } from "./instance-search.ts";
import { listInstanceRows } from "./list-instances.store.ts";

/** Lists the instances of the whole installation; for system users only. */
export async function listInstances(
  deps: { readonly database: Database },
  call: Call,
  search: InstanceSearch,
): Promise<{ readonly instances: readonly InstanceWithDomains[]; readonly total: number }> {
  requirePermission(call, "system.instance.read", {});
  const { read } = deps.database;
  const { instances, total } = await listInstanceRows(read, search);
  const domains = await listDomainsOfInstances(
    read,
    instances.map(({ instanceId }) => instanceId),
  );
  const byInstance = Map.groupBy(domains, ({ instanceId }) => instanceId);
  return {
    instances: instances.map((instance) => ({ ...instance, domains: byInstance.get(instance.instanceId) ?? [] })),
    total,
  };
}
