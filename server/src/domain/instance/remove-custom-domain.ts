import { Fault } from "../../base/fault.ts";
import { parseHost } from "../../base/names/host.ts";
import type { Call } from "../../call/index.ts";
import type { Database, Details } from "../../database/index.ts";
import { authorizeInstance, callIn } from "./authorize-instance.ts";
import { deleteInstanceDomain, findInstanceDomain } from "./instance-domain.store.ts";
import { recordInstanceEvent } from "./record-instance.ts";

/** Removes a host of an instance, unless it is primary or generated. Removing an absent host is accepted. */
export function removeCustomDomain(
  deps: { readonly database: Database },
  call: Call,
  input: { readonly instanceId?: string; readonly domain: string },
): Promise<Details | undefined> {
  const host = parseHost(input.domain) ?? "";
  return deps.database.change(callIn(call, input.instanceId), async (tx) => {
    await authorizeInstance(tx, call, tx.instanceId, { systemPermission: "system.domain.write" });
    const domain = await findInstanceDomain(tx, host);
    if (domain === undefined) return undefined;
    if (domain.isPrimary) {
      throw new Fault("failed_precondition", "instance.domain_is_primary", { field: "customDomain" });
    }
    if (domain.isGenerated) {
      throw new Fault("failed_precondition", "instance.domain_is_generated", { field: "customDomain" });
    }
    await deleteInstanceDomain(tx, { host, isTrusted: false });
    return recordInstanceEvent(tx, { type: "instance.domain.removed", payload: { domain: host } });
  });
}
