import type { Details, Tx } from "../../database/index.ts";
import { nextInstanceSequence } from "./instance.store.ts";
import { instanceAggregate } from "./instance.ts";

/**
 * Step: counts and records a change of something that belongs to the instance itself and shares its sequence (a domain,
 * settings…).
 */
export async function recordInstanceEvent(
  tx: Tx,
  event: { readonly type: string; readonly payload?: Readonly<Record<string, unknown>> },
): Promise<Details> {
  const details = await nextInstanceSequence(tx);
  tx.record({ ...instanceAggregate(tx.instanceId), sequence: details.sequence, ...event });
  return details;
}
