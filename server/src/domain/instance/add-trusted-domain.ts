import { Fault } from "../../base/fault.ts";
import { parseHost } from "../../base/names/host.ts";
import type { Call } from "../../call/index.ts";
import type { Database, Details } from "../../database/index.ts";
import { authorizeInstance, callIn } from "./authorize-instance.ts";
import { insertInstanceDomain } from "./instance-domain.store.ts";
import { recordInstanceEvent } from "./record-instance.ts";

/** Trusts a host in links. The host does not reach the instance, so several instances may trust it. */
export function addTrustedDomain(
  deps: { readonly database: Database },
  call: Call,
  input: { readonly instanceId?: string; readonly domain: string },
): Promise<Details> {
  const host = parseHost(input.domain);
  return deps.database.change(callIn(call, input.instanceId), async (tx) => {
    await authorizeInstance(tx, call, tx.instanceId, {
      permission: "iam.write",
      systemPermission: "system.instance.write",
    });
    if (host === undefined) throw new Fault("invalid_argument", "instance.domain_invalid", { field: "trustedDomain" });
    const isNew = await insertInstanceDomain(tx, { host, isPrimary: false, isGenerated: false, isTrusted: true });
    if (!isNew) throw new Fault("already_exists", "instance.domain_trusted_already", { field: "trustedDomain" });
    return recordInstanceEvent(tx, { type: "instance.trusted_domain.added", payload: { domain: host } });
  });
}
