import { type DeliveryDeps, deliveryCall } from "./claim-notification.ts";
import { failExpired, listInstancesWithExpired } from "./delivery.store.ts";
import { recordOutcome } from "./settle-notification.ts";

const batchSize = 100;

/**
 * Gives up messages whose time is over; tells how many. In development (`isCaptured`) a message without a provider is not one that failed:
 * it is in the inbox.
 */
export async function expireNotifications(
  { database, clock }: DeliveryDeps,
  options: { readonly isCaptured: boolean },
): Promise<number> {
  let total = 0;
  for (const instanceId of await listInstancesWithExpired(database.read, clock(), options)) {
    let count: number;
    do {
      count = await database.change(deliveryCall(instanceId, clock()), async (tx) => {
        const expired = await failExpired(tx, batchSize, options);
        for (const notification of expired) recordOutcome(tx, notification, notification.lastError);
        return expired.length;
      });
      total += count;
    } while (count === batchSize);
  }
  return total;
}
