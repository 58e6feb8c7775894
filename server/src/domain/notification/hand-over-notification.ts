import { type DeliveryDeps, deliveryCall } from "./claim-notification.ts";
import { markHandedOver } from "./delivery.store.ts";
import type { ClaimedNotification } from "./notification.ts";

/**
 * Writes down that a provider gets a message now, before the first byte of it leaves: whatever happens from here on, it is not sent again unless
 * the provider refuses it. False when this attempt took so long that the message is no longer its own.
 */
export function handOverNotification(
  { database, clock }: DeliveryDeps,
  instanceId: string,
  claimed: ClaimedNotification,
): Promise<boolean> {
  return database.touch(deliveryCall(instanceId, clock()), (tx) => markHandedOver(tx, claimed));
}
