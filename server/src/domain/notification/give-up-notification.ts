import { type FailedDeliveryKey, givenUp } from "../../base/queue/failed-delivery.ts";
import type { Tx } from "../../database/index.ts";
import { endFailedNotification, holdFailedNotification } from "./failed-notification.store.ts";
import { recordOutcome } from "./settle-notification.ts";

/** Step: gives up a message that failed. One that had failed for good has its event. False when there is none. */
export async function giveUpNotification(tx: Tx, { group: channel, id }: FailedDeliveryKey): Promise<boolean> {
  const found = await holdFailedNotification(tx, { channel, notificationId: id });
  if (found === undefined) return false;
  await endFailedNotification(tx, id);
  if (found.state === "queued") recordOutcome(tx, found, givenUp);
  return true;
}
