import type { Tx } from "../../database/index.ts";
import { insertInstanceDomain } from "./instance-domain.store.ts";
import { recordInstanceEvent } from "./record-instance.ts";

/** Step: lets the host of the configured base URL reach the instance. Returns the instance's id, or undefined when the host is taken. */
export async function addHost(tx: Tx, host: string): Promise<string | undefined> {
  const isFree = await insertInstanceDomain(tx, { host, isPrimary: false, isGenerated: true, isTrusted: false });
  if (!isFree) return undefined;
  await recordInstanceEvent(tx, { type: "instance.domain.added", payload: { domain: host } });
  return tx.instanceId;
}
