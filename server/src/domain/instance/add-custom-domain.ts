import { Fault } from "../../base/fault.ts";
import { parseHost } from "../../base/names/host.ts";
import type { Call } from "../../call/index.ts";
import type { Database, Details } from "../../database/index.ts";
import { authorizeInstance, callIn } from "./authorize-instance.ts";
import { insertInstanceDomain } from "./instance-domain.store.ts";
import { recordInstanceEvent } from "./record-instance.ts";

/** Adds a host by which an instance is reached. A host reaches only one instance of the installation. */
export function addCustomDomain(
  deps: { readonly database: Database },
  call: Call,
  input: { readonly instanceId?: string; readonly domain: string },
): Promise<Details> {
  const host = parseHost(input.domain);
  return deps.database.change(callIn(call, input.instanceId), async (tx) => {
    await authorizeInstance(tx, call, tx.instanceId, { systemPermission: "system.domain.write" });
    if (host === undefined) throw new Fault("invalid_argument", "instance.domain_invalid", { field: "customDomain" });
    const isFree = await insertInstanceDomain(tx, { host, isPrimary: false, isGenerated: false, isTrusted: false });
    if (!isFree) throw new Fault("already_exists", "instance.domain_taken", { field: "customDomain" });
    return recordInstanceEvent(tx, { type: "instance.domain.added", payload: { domain: host } });
  });
}
