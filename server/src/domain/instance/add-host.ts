import type { Tx } from "../../database/index.ts";
import { insertInstanceDomain } from "./instance-domain.store.ts";
import { recordInstanceEvent } from "./record-instance.ts";

/**
 * Step: adds the host of the configured base URL to the instance. Returns the instance's id; undefined when the host is
 * taken.
 */
export async function addHost(tx: Tx, host: string): Promise<string | undefined> {
  const isFree = await insertInstanceDomain(tx, { host, isPrimary: false, isGenerated: true, isTrusted: false });
  if (!isFree) return undefined;
  await recordInstanceEvent(tx, { type: "instance.domain.added", payload: { domain: host } });
  return tx.instanceId;
}
