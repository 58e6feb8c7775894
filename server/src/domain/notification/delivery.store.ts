import { type Reader, sql, type Tx, text } from "../../database/index.ts";
import {
  type ClaimedNotification,
  claimLifetime,
  type NotificationChannel,
  type NotificationQueue,
} from "./notification.ts";

const columns =
  text(`notification_id as "notificationId", kind, channel, user_id as "userId", organization_id as "organizationId",
  recipient, language, state, attempts, created_at as "createdAt", expires_at as "expiresAt", sealed_values as "sealedValues"`);

/** Lists the queues of all instances that have a due message and a provider. Without a provider, messages wait. */
export function listDueQueues(reader: Reader, now: number): Promise<NotificationQueue[]> {
  return reader.all<NotificationQueue>(sql`select p.instance_id as "instanceId", p.channel from message_providers p
    where p.state = 'active' and exists (select 1 from notifications n
      where n.instance_id = p.instance_id and n.channel = p.channel and n.state = 'queued' and n.handed_over_at is null
        and n.next_attempt_at <= ${now} and n.expires_at > ${now})`);
}

/** Messages of a queue that go before or after others: of one organization, with codes or of changes. */
export interface QueuePart {
  readonly channel: NotificationChannel;
  readonly isNotice: boolean;
  readonly organizationId: string;
}

/**
 * Finds the organization with the lowest id after the given one that has a due message. Jumps from organization to
 * organization, however many messages one of them has.
 */
export async function findDueOrganization(
  tx: Tx,
  { channel, isNotice, after }: Pick<QueuePart, "channel" | "isNotice"> & { readonly after: string },
): Promise<string | undefined> {
  const waiting = sql`instance_id = ${tx.instanceId} and channel = ${channel} and is_notice = ${isNotice}
    and state = 'queued' and handed_over_at is null`;
  const row = await tx.maybe<{ organizationId: string }>(sql`with recursive waiting(organization_id) as (
      select min(organization_id) from notifications where ${waiting} and organization_id > ${after}
      union all select (select min(n.organization_id) from notifications n
          where ${waiting} and n.organization_id > waiting.organization_id)
        from waiting where waiting.organization_id is not null)
    select organization_id as "organizationId" from waiting where organization_id is not null
      and exists (select 1 from notifications d where ${waiting} and d.organization_id = waiting.organization_id
        and d.next_attempt_at <= ${tx.now} and d.expires_at > ${tx.now})
    limit 1`);
  return row?.organizationId;
}

/**
 * Step: claims the message of a part of the queue that has been due the longest. While the claim lasts, no other node
 * takes it. Never claims a message that was handed over.
 */
export function claimNotificationRow(
  tx: Tx,
  { channel, isNotice, organizationId }: QueuePart,
): Promise<ClaimedNotification | undefined> {
  const hold = tx.engine === "sqlite" ? text("") : text("for update skip locked");
  return tx.maybe<ClaimedNotification>(sql`with due as materialized (select notification_id from notifications
      where instance_id = ${tx.instanceId} and channel = ${channel} and is_notice = ${isNotice}
        and organization_id = ${organizationId} and state = 'queued' and handed_over_at is null
        and next_attempt_at <= ${tx.now} and expires_at > ${tx.now}
      order by next_attempt_at limit 1 ${hold})
    update notifications set attempts = attempts + 1, next_attempt_at = ${tx.now + claimLifetime}, changed_at = ${tx.now}
    where instance_id = ${tx.instanceId} and notification_id in (select notification_id from due)
    returning ${columns}`);
}

/** Step: takes back the claim of a message that may not be sent before the instant; it was not an attempt. */
export async function deferNotification(tx: Tx, { notificationId, attempts }: Attempt, until: number): Promise<void> {
  await tx.run(sql`update notifications set attempts = attempts - 1, next_attempt_at = ${until}, changed_at = ${tx.now}
    where instance_id = ${tx.instanceId} and notification_id = ${notificationId} and attempts = ${attempts}`);
}

/**
 * Step: has all notices of an organization, or those to one of its users, wait until the instant. It skips those that
 * another delivery holds, which waits for the budget that this one has taken (PostgreSQL), and comes to the same end by
 * itself.
 */
export async function deferNotices(
  tx: Tx,
  { channel, organizationId, userId }: Omit<QueuePart, "isNotice"> & { readonly userId?: string },
  until: number,
): Promise<void> {
  const hold = tx.engine === "sqlite" ? text("") : text("for update skip locked");
  const ofUser = userId === undefined ? text("") : sql`and user_id = ${userId}`;
  await tx.run(sql`with due as materialized (select notification_id from notifications
      where instance_id = ${tx.instanceId} and channel = ${channel} and is_notice = 1
        and organization_id = ${organizationId} ${ofUser} and state = 'queued' and handed_over_at is null
        and next_attempt_at <= ${tx.now} ${hold})
    update notifications set next_attempt_at = ${until}
    where instance_id = ${tx.instanceId} and notification_id in (select notification_id from due)`);
}

type Attempt = Pick<ClaimedNotification, "notificationId" | "attempts">;

/**
 * Records that a message is being handed over to a provider. False when a later attempt has claimed it because this one
 * was too slow.
 */
export async function markHandedOver(tx: Tx, { notificationId, attempts }: Attempt): Promise<boolean> {
  const count = await tx.run(sql`update notifications set handed_over_at = ${tx.now}, changed_at = ${tx.now}
    where instance_id = ${tx.instanceId} and notification_id = ${notificationId} and attempts = ${attempts}
      and handed_over_at is null and state in ('queued', 'superseded')`);
  return count === 1;
}

/**
 * Records that a message was sent, and removes its values, even if it was superseded meanwhile. False when a later
 * attempt has claimed it because this one was too slow.
 */
export async function markSent(tx: Tx, { notificationId, attempts }: Attempt, sealedValues: string): Promise<boolean> {
  const count =
    await tx.run(sql`update notifications set state = 'sent', last_error = null, sealed_values = ${sealedValues},
      changed_at = ${tx.now}
    where instance_id = ${tx.instanceId} and notification_id = ${notificationId} and attempts = ${attempts}
      and state in ('queued', 'superseded')`);
  return count === 1;
}

/** Records that a message is given up. False when the message no longer belongs to this attempt. */
export async function markFailed(tx: Tx, { notificationId, attempts }: Attempt, failure: string): Promise<boolean> {
  const count =
    await tx.run(sql`update notifications set state = 'failed', last_error = ${failure}, changed_at = ${tx.now}
    where instance_id = ${tx.instanceId} and notification_id = ${notificationId} and attempts = ${attempts}
      and state = 'queued'`);
  return count === 1;
}

/** Schedules the next attempt at a message that was not handed over. */
export async function postponeNotification(
  tx: Tx,
  { notificationId, attempts }: Attempt,
  { nextAttemptAt, failure }: { readonly nextAttemptAt: number; readonly failure: string },
): Promise<void> {
  await tx.run(sql`update notifications set next_attempt_at = ${nextAttemptAt}, last_error = ${failure}, handed_over_at = null,
      changed_at = ${tx.now}
    where instance_id = ${tx.instanceId} and notification_id = ${notificationId} and attempts = ${attempts}
      and state = 'queued'`);
}

/**
 * Lists the instances with expired messages that were not sent; with `isCaptured` only where a provider should have
 * sent them.
 */
export async function listInstancesWithExpired(
  reader: Reader,
  now: number,
  { isCaptured }: { readonly isCaptured: boolean },
): Promise<string[]> {
  const provided = isCaptured ? hasProvider : text("");
  const rows = await reader.all<{
    instanceId: string;
  }>(sql`select distinct n.instance_id as "instanceId" from notifications n
    where n.state = 'queued' and n.expires_at <= ${now} and n.next_attempt_at <= ${now} ${provided}`);
  return rows.map(({ instanceId }) => instanceId);
}

/**
 * Gives up expired messages of an instance, at most `limit` at a time. A message with a running attempt is left to that
 * attempt.
 */
export function failExpired(
  tx: Tx,
  limit: number,
  { isCaptured }: { readonly isCaptured: boolean },
): Promise<(ClaimedNotification & { readonly lastError: string })[]> {
  const hold = tx.engine === "sqlite" ? text("") : text("for update skip locked");
  const provided = isCaptured ? hasProvider : text("");
  return tx.all<ClaimedNotification & { lastError: string }>(sql`with expired as materialized (
      select notification_id from notifications n
      where n.state = 'queued' and n.expires_at <= ${tx.now} and n.next_attempt_at <= ${tx.now}
        and n.instance_id = ${tx.instanceId} ${provided} limit ${limit} ${hold})
    update notifications set state = 'failed', last_error = coalesce(last_error, 'expired'), changed_at = ${tx.now}
    where instance_id = ${tx.instanceId} and notification_id in (select notification_id from expired)
    returning ${columns}, last_error as "lastError"`);
}

/** Lists the instances with a message that was handed over but whose claim ended: its outcome will stay unknown. */
export async function listInstancesWithLost(reader: Reader, now: number): Promise<string[]> {
  const rows = await reader.all<{
    instanceId: string;
  }>(sql`select distinct instance_id as "instanceId" from notifications
    where state = 'queued' and handed_over_at is not null and next_attempt_at <= ${now}`);
  return rows.map(({ instanceId }) => instanceId);
}

/** Gives up messages of an instance that were handed over with an unknown outcome, at most `limit` at a time. */
export function failLost(tx: Tx, limit: number): Promise<(ClaimedNotification & { readonly lastError: string })[]> {
  const hold = tx.engine === "sqlite" ? text("") : text("for update skip locked");
  return tx.all<ClaimedNotification & { lastError: string }>(sql`with lost as materialized (
      select notification_id from notifications
      where state = 'queued' and handed_over_at is not null and next_attempt_at <= ${tx.now}
        and instance_id = ${tx.instanceId} limit ${limit} ${hold})
    update notifications set state = 'failed', last_error = 'outcome_unknown', changed_at = ${tx.now}
    where instance_id = ${tx.instanceId} and notification_id in (select notification_id from lost)
    returning ${columns}, last_error as "lastError"`);
}

const hasProvider = text(`and exists (select 1 from message_providers p
  where p.instance_id = n.instance_id and p.channel = n.channel and p.state = 'active')`);
