import { parseHost } from "../../base/names/host.ts";
import type { Call } from "../../call/index.ts";
import type { Database, Details } from "../../database/index.ts";
import { authorizeInstance, callIn } from "./authorize-instance.ts";
import { deleteInstanceDomain } from "./instance-domain.store.ts";
import { recordInstanceEvent } from "./record-instance.ts";

/** Stops trusting a host. Removing a host that is not trusted is accepted. */
export function removeTrustedDomain(
  deps: { readonly database: Database },
  call: Call,
  input: { readonly instanceId?: string; readonly domain: string },
): Promise<Details | undefined> {
  const host = parseHost(input.domain) ?? "";
  return deps.database.change(callIn(call, input.instanceId), async (tx) => {
    await authorizeInstance(tx, call, tx.instanceId, {
      permission: "iam.write",
      systemPermission: "system.instance.write",
    });
    if (!(await deleteInstanceDomain(tx, { host, isTrusted: true }))) return undefined;
    return recordInstanceEvent(tx, { type: "instance.trusted_domain.removed", payload: { domain: host } });
  });
}
