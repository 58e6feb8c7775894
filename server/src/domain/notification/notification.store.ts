import { deleteAll, type EndedRows, list, type Reader, sql, type Tx, text } from "../../database/index.ts";
import { isNotice, type Notification } from "./notification.ts";

const columns =
  text(`notification_id as "notificationId", kind, channel, user_id as "userId", organization_id as "organizationId",
  recipient, language, state, attempts, created_at as "createdAt", expires_at as "expiresAt", sealed_values as "sealedValues"`);

export async function insertNotification(
  tx: Tx,
  notification: Omit<Notification, "state" | "attempts" | "createdAt"> & { readonly subjectId: string },
): Promise<void> {
  await tx.run(sql`insert into notifications (instance_id, notification_id, kind, channel, user_id, subject_id, organization_id, recipient,
      language, sealed_values, is_notice, state, attempts, next_attempt_at, created_at, expires_at, changed_at)
    values (${tx.instanceId}, ${notification.notificationId}, ${notification.kind}, ${notification.channel},
      ${notification.userId}, ${notification.subjectId}, ${notification.organizationId}, ${notification.recipient}, ${notification.language},
      ${notification.sealedValues}, ${isNotice(notification.kind)}, 'queued', 0, ${tx.now}, ${tx.now}, ${notification.expiresAt}, ${tx.now})`);
}

/** Whether a message of this kind waits that no provider had, and that goes to the same address of the user. */
export async function hasWaitingNotification(
  tx: Tx,
  { userId, kind, recipient }: Pick<Notification, "userId" | "kind" | "recipient">,
): Promise<boolean> {
  const row = await tx.maybe<{ found: number }>(sql`select 1 as "found" from notifications
    where instance_id = ${tx.instanceId} and user_id = ${userId} and kind = ${kind} and recipient = ${recipient}
      and state = 'queued' and handed_over_at is null and expires_at > ${tx.now} limit 1`);
  return row !== undefined;
}

/** Supersedes unsent messages of the same kind and subject to a user. */
export async function supersedeNotifications(
  tx: Tx,
  { userId, kind, subjectId }: { readonly userId: string; readonly kind: string; readonly subjectId: string },
): Promise<void> {
  await tx.run(sql`update notifications set state = 'superseded', changed_at = ${tx.now}
    where instance_id = ${tx.instanceId} and user_id = ${userId} and kind = ${kind} and subject_id = ${subjectId}
      and state = 'queued'`);
}

/** Lists the newest messages of an instance, for the inbox of `dev`. */
export async function listNewestNotifications(
  reader: Reader,
  instanceId: string,
  limit: number,
): Promise<Notification[]> {
  return reader.all<Notification>(sql`select ${columns} from notifications where instance_id = ${instanceId}
    order by created_at desc, notification_id desc limit ${limit}`);
}

/** Counts the messages of all instances that were due before an instant and are still queued. For the operator. */
export async function countOverdueNotifications(reader: Reader, dueBefore: number): Promise<number> {
  const row = await reader.maybe<{ count: number }>(sql`select count(*) as count from notifications
    where state = 'queued' and next_attempt_at < ${dueBefore} and (expires_at is null or expires_at > ${dueBefore})`);
  return row?.count ?? 0;
}

/** Deletes every message to a user who is being deleted, sent or not. */
export function deleteNotificationsOfUsers(tx: Tx, userIds: readonly string[]): Promise<void> {
  const where = sql`instance_id = ${tx.instanceId} and user_id in ${list(userIds)}`;
  return deleteAll(tx, { table: text("notifications"), where });
}

/** Counts the messages of all instances that were given up since an instant. For the operator. */
export async function countFailedNotifications(reader: Reader, since: number): Promise<number> {
  const row = await reader.maybe<{ count: number }>(sql`select count(*) as count from notifications
    where state = 'failed' and changed_at >= ${since}`);
  return row?.count ?? 0;
}

/** Messages that expired before the given instant, sent or not. */
export const expiredNotifications = (before: number): EndedRows => ({
  table: text("notifications"),
  where: () => sql`state in ('queued', 'sent', 'failed', 'superseded') and expires_at <= ${before}`,
});
