import { type FailedDelivery, givenUp } from "../../base/queue/failed-delivery.ts";
import { type Reader, rowLock, sql, type Tx } from "../../database/index.ts";
import type { Notification } from "./notification.ts";

/** Lists the newest messages that failed and were not given up by an administrator; of all instances without an id. */
export function listFailedNotifications(
  reader: Reader,
  instanceId: string | undefined,
  limit: number,
): Promise<FailedDelivery[]> {
  const ofInstance = instanceId === undefined ? sql`` : sql`and instance_id = ${instanceId}`;
  return reader.all<FailedDelivery>(sql`select instance_id as "instanceId", channel as "group", notification_id as "id",
      attempts, last_error as "failure", changed_at as "failedAt" from notifications
    where last_error is not null and last_error <> ${givenUp} and state in ('queued', 'failed') ${ofInstance}
    order by created_at desc, notification_id desc limit ${limit}`);
}

type FailedNotification = Pick<
  Notification,
  "notificationId" | "kind" | "channel" | "userId" | "organizationId" | "state" | "attempts"
>;

/** Finds a message that failed, and locks it. */
export function holdFailedNotification(
  tx: Tx,
  { channel, notificationId }: { readonly channel: string; readonly notificationId: string },
): Promise<FailedNotification | undefined> {
  return tx.maybe<FailedNotification>(sql`select notification_id as "notificationId", kind, channel,
      user_id as "userId", organization_id as "organizationId", state, attempts from notifications
    where instance_id = ${tx.instanceId} and notification_id = ${notificationId} and channel = ${channel}
      and last_error is not null and last_error <> ${givenUp} and state in ('queued', 'failed')
    ${rowLock(tx, "alone")}`);
}

/** Ends a message that failed. */
export async function endFailedNotification(tx: Tx, notificationId: string): Promise<void> {
  await tx.run(sql`update notifications set state = 'failed', last_error = ${givenUp}, changed_at = ${tx.now}
    where instance_id = ${tx.instanceId} and notification_id = ${notificationId}`);
}
