import type { Clock } from "../../base/clock.ts";
import type { Call } from "../../call/index.ts";
import type { Database } from "../../database/index.ts";
import { claimNotificationRow } from "./delivery.store.ts";
import type { ClaimedNotification, NotificationQueue } from "./notification.ts";

export interface DeliveryDeps {
  readonly database: Database;
  readonly clock: Clock;
}

/** Claims one attempt at a due message of a queue; undefined when none is due. */
export function claimNotification(
  { database, clock }: DeliveryDeps,
  queue: NotificationQueue,
): Promise<ClaimedNotification | undefined> {
  return database.touch(deliveryCall(queue.instanceId, clock()), (tx) => claimNotificationRow(tx, queue.channel));
}

/** Creates the call of the job that delivers messages. */
export const deliveryCall = (instanceId: string, now: number): Call => ({
  instanceId,
  requestId: "notifications",
  now,
  language: "en",
});
