import type { Clock } from "../../base/clock.ts";
import type { Database } from "../../database/index.ts";
import { addHost, findInstance, findInstanceOfHost, type Instance, makeHostPrimary } from "../instance/index.ts";

/**
 * Makes the host of the configured base URL the primary one of the first instance, after the operator changed it. A
 * host that reaches another instance stays with that instance.
 */
export async function useHost(
  deps: { readonly database: Database; readonly clock: Clock },
  instance: Instance,
  host: string,
): Promise<Instance> {
  if (instance.primaryHost === host) return instance;
  const { instanceId } = instance;
  const call = { instanceId, requestId: "bootstrap", now: deps.clock(), language: "en" } as const;
  return deps.database.change(call, async (tx) => {
    const owner = (await findInstanceOfHost(tx, host))?.instanceId ?? (await addHost(tx, host)) ?? "";
    if (owner === instanceId) await makeHostPrimary(tx, host);
    return (await findInstance(tx, instanceId)) ?? instance;
  });
}
