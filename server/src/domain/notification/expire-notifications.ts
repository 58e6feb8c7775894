import type { Tx } from "../../database/index.ts";
import { type DeliveryDeps, deliveryCall } from "./claim-notification.ts";
import { failExpired, failLost, listInstancesWithExpired, listInstancesWithLost } from "./delivery.store.ts";
import type { ClaimedNotification } from "./notification.ts";
import { recordOutcome } from "./settle-notification.ts";

const batchSize = 100;

/**
 * Gives up expired messages, and messages that were handed over with an unknown outcome; returns how many. In
 * development (`isCaptured`) a message without a provider has not failed: it is in the inbox.
 */
export async function expireNotifications(
  deps: DeliveryDeps,
  options: { readonly isCaptured: boolean },
): Promise<number> {
  const { database, clock } = deps;
  const lost = await giveUp(deps, await listInstancesWithLost(database.read, clock()), (tx) => failLost(tx, batchSize));
  const withExpired = await listInstancesWithExpired(database.read, clock(), options);
  return lost + (await giveUp(deps, withExpired, (tx) => failExpired(tx, batchSize, options)));
}

type GivenUp = ClaimedNotification & { readonly lastError: string };

async function giveUp(
  { database, clock }: DeliveryDeps,
  instanceIds: readonly string[],
  fail: (tx: Tx) => Promise<readonly GivenUp[]>,
): Promise<number> {
  let total = 0;
  for (const instanceId of instanceIds) {
    let count: number;
    do {
      count = await database.change(deliveryCall(instanceId, clock()), async (tx) => {
        const failed = await fail(tx);
        for (const notification of failed) recordOutcome(tx, notification, notification.lastError);
        return failed.length;
      });
      total += count;
    } while (count === batchSize);
  }
  return total;
}
