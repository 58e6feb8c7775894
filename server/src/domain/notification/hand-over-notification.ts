import { type DeliveryDeps, deliveryCall } from "./claim-notification.ts";
import { markHandedOver } from "./delivery.store.ts";
import type { ClaimedNotification } from "./notification.ts";

/**
 * Records that a message is being handed over, before its first byte is sent: from then on it is not sent again unless
 * the provider rejects it. False when this attempt was so slow that it lost its claim.
 */
export function handOverNotification(
  { database, clock }: DeliveryDeps,
  instanceId: string,
  claimed: ClaimedNotification,
): Promise<boolean> {
  return database.touch(deliveryCall(instanceId, clock()), (tx) => markHandedOver(tx, claimed));
}
