import type { Call } from "../../call/index.ts";
import type { Database } from "../../database/index.ts";
import { authorizeInstance } from "./authorize-instance.ts";
import type { Instance, InstanceDomain } from "./instance.ts";
import { listDomainsOfInstances } from "./instance-domain.store.ts";

export interface InstanceWithDomains extends Instance {
  readonly domains: readonly InstanceDomain[];
}

/** Returns the instance of the request, or another one for system users. */
export async function getInstance(
  deps: { readonly database: Database },
  call: Call,
  instanceId: string | undefined,
): Promise<InstanceWithDomains> {
  const { read } = deps.database;
  const instance = await authorizeInstance(read, call, instanceId || call.instanceId, {
    permission: "iam.read",
    systemPermission: "system.instance.read",
  });
  return { ...instance, domains: await listDomainsOfInstances(read, [instance.instanceId]) };
}
