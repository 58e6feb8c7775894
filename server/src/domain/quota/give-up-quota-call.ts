import { type FailedDeliveryKey, givenUp } from "../../base/queue/failed-delivery.ts";
import type { Tx } from "../../database/index.ts";
import { endFailedCall, holdFailedCall } from "./failed-call.store.ts";
import { recordEnd } from "./settle-quota-call.ts";

/** Step: gives up a call that failed. One that had failed for good has its event already. False when there is none. */
export async function giveUpQuotaCall(tx: Tx, { group: unit, id }: FailedDeliveryKey): Promise<boolean> {
  const found = await holdFailedCall(tx, { unit, deliveryId: id });
  if (found === undefined) return false;
  await endFailedCall(tx, id);
  if (found.state === "pending") await recordEnd(tx, found, givenUp);
  return true;
}
