import { list, type Reader, sql, type Tx, text } from "../../database/index.ts";
import { claimLifetime, type QuotaCall } from "./notification.ts";
import type { DueNotification, Quota } from "./quota.ts";

/** Inserts a call of a notification; false when its threshold was reached before in this period. */
export async function insertNotification(
  tx: Tx,
  { unit, quotaId }: Pick<Quota, "unit" | "quotaId">,
  due: DueNotification & { readonly deliveryId: string; readonly periodStart: number; readonly used: number },
): Promise<boolean> {
  const count = await tx.run(sql`insert into quota_notifications (instance_id, unit, period_start, notification_id,
      threshold, delivery_id, quota_id, call_url, used, state, attempts, next_attempt_at, created_at, changed_at)
    values (${tx.instanceId}, ${unit}, ${due.periodStart}, ${due.notificationId}, ${due.threshold}, ${due.deliveryId},
      ${quotaId}, ${due.callUrl}, ${due.used}, 'pending', 0, ${tx.now}, ${tx.now}, ${tx.now})
    on conflict (instance_id, unit, period_start, notification_id, threshold) do nothing`);
  return count === 1;
}

/** Lists the calls that have been due the longest, of any instance except the given ones, without a lock. */
export function listDueCalls(
  reader: Reader,
  { now, except, limit }: { readonly now: number; readonly except: readonly string[]; readonly limit: number },
): Promise<Pick<QuotaCall, "instanceId" | "deliveryId">[]> {
  const ofOthers = except.length === 0 ? sql`` : sql`and instance_id not in ${list(except)}`;
  return reader.all<Pick<QuotaCall, "instanceId" | "deliveryId">>(sql`select instance_id as "instanceId",
      delivery_id as "deliveryId" from quota_notifications
    where state = 'pending' and next_attempt_at <= ${now} ${ofOthers} order by next_attempt_at limit ${limit}`);
}

/** Step: claims a call of the instance, unless it is no longer due or locked. */
export function claimCall(tx: Tx, deliveryId: string): Promise<QuotaCall | undefined> {
  const hold = tx.engine === "sqlite" ? text("") : text("for update skip locked");
  return tx.maybe<QuotaCall>(sql`update quota_notifications set attempts = attempts + 1,
      next_attempt_at = ${tx.now + claimLifetime}
    where instance_id = ${tx.instanceId} and delivery_id in (select n.delivery_id from quota_notifications n
      where n.instance_id = ${tx.instanceId} and n.delivery_id = ${deliveryId} and n.state = 'pending'
        and n.next_attempt_at <= ${tx.now} ${hold})
    returning instance_id as "instanceId", delivery_id as "deliveryId", quota_id as "quotaId", unit,
      period_start as "periodStart", threshold, used, call_url as "callUrl", attempts as "attempt"`);
}

type Attempt = Pick<QuotaCall, "deliveryId" | "attempt">;

/** Records how a call ended. False when it no longer belongs to this attempt. */
export async function endCall(
  tx: Tx,
  { deliveryId, attempt }: Attempt,
  end: { readonly state: "delivered" | "failed"; readonly failure: string | undefined },
): Promise<boolean> {
  const count = await tx.run(sql`update quota_notifications set state = ${end.state}, failure = ${end.failure},
      changed_at = ${tx.now}
    where instance_id = ${tx.instanceId} and delivery_id = ${deliveryId} and attempts = ${attempt}
      and state = 'pending'`);
  return count === 1;
}

/** Records why an attempt failed, and when the next one is due. */
export async function postponeCall(
  tx: Tx,
  { deliveryId, attempt }: Attempt,
  next: { readonly at: number; readonly failure: string },
): Promise<void> {
  await tx.run(sql`update quota_notifications set next_attempt_at = ${next.at}, failure = ${next.failure},
      changed_at = ${tx.now}
    where instance_id = ${tx.instanceId} and delivery_id = ${deliveryId} and attempts = ${attempt}
      and state = 'pending'`);
}
