import { Fault } from "../../base/fault.ts";
import { parseHost } from "../../base/names/host.ts";
import type { Call } from "../../call/index.ts";
import type { Database, Details, Tx } from "../../database/index.ts";
import { authorizeInstance, callIn } from "./authorize-instance.ts";
import { findInstanceDomain, updatePrimaryInstanceDomain } from "./instance-domain.store.ts";
import { recordInstanceEvent } from "./record-instance.ts";

/** Makes a host of an instance the host of its issuer and of its links. */
export function setPrimaryCustomDomain(
  deps: { readonly database: Database },
  call: Call,
  input: { readonly instanceId?: string; readonly domain: string },
): Promise<Details> {
  const host = parseHost(input.domain) ?? "";
  return deps.database.change(callIn(call, input.instanceId), async (tx) => {
    const instance = await authorizeInstance(tx, call, tx.instanceId, { systemPermission: "system.domain.write" });
    if (instance.primaryHost === host) return instance.details;
    return makeHostPrimary(tx, host);
  });
}

/** Step: makes a host of the instance its primary one. */
export async function makeHostPrimary(tx: Tx, host: string): Promise<Details> {
  if ((await findInstanceDomain(tx, host)) === undefined) {
    throw new Fault("not_found", "instance.domain_not_found", { field: "domain" });
  }
  await updatePrimaryInstanceDomain(tx, host);
  return recordInstanceEvent(tx, { type: "instance.domain.primary_set", payload: { domain: host } });
}
