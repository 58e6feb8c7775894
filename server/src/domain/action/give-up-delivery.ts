import type { FailedDeliveryKey } from "../../base/queue/failed-delivery.ts";
import type { Tx } from "../../database/index.ts";
import { endFailedDelivery, holdFailedDelivery } from "./failed-delivery.store.ts";
import { touchTarget } from "./target.store.ts";
import { targetAggregate } from "./target.ts";

/** Step: gives up a delivery that failed, so that those behind it go on. False when there is none. */
export async function giveUpDelivery(tx: Tx, { group: targetId, id }: FailedDeliveryKey): Promise<boolean> {
  const delivery = { targetId, number: Number(id) };
  if (!Number.isSafeInteger(delivery.number)) return false;
  const found = await holdFailedDelivery(tx, delivery);
  if (found === undefined) return false;
  await endFailedDelivery(tx, delivery);
  const sequence = await touchTarget(tx, targetId);
  // The log outlives a deleted target, which has no history any longer.
  if (sequence === undefined) return true;
  const payload = { number: delivery.number, subject: found.subject };
  tx.record({ type: "target.delivery.given_up", ...targetAggregate(tx.instanceId, targetId), sequence, payload });
  return true;
}
