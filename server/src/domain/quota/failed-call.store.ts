import { type FailedDelivery, givenUp } from "../../base/queue/failed-delivery.ts";
import { type Reader, rowLock, sql, type Tx } from "../../database/index.ts";
import type { QuotaCall } from "./notification.ts";

/** Lists the newest calls that failed and were not given up by an operator; of all instances without an id. */
export function listFailedQuotaCalls(
  reader: Reader,
  instanceId: string | undefined,
  limit: number,
): Promise<FailedDelivery[]> {
  const ofInstance = instanceId === undefined ? sql`` : sql`and instance_id = ${instanceId}`;
  return reader.all<FailedDelivery>(sql`select instance_id as "instanceId", unit as "group", delivery_id as "id",
      attempts, failure, changed_at as "failedAt" from quota_notifications
    where failure is not null and failure <> ${givenUp} ${ofInstance}
    order by created_at desc, delivery_id desc limit ${limit}`);
}

type FailedCall = Omit<QuotaCall, "callUrl" | "used"> & { readonly state: "pending" | "failed" };

/** Finds a call that failed, and locks it. */
export function holdFailedCall(
  tx: Tx,
  { unit, deliveryId }: { readonly unit: string; readonly deliveryId: string },
): Promise<FailedCall | undefined> {
  return tx.maybe<FailedCall>(sql`select instance_id as "instanceId", delivery_id as "deliveryId",
      quota_id as "quotaId", unit, period_start as "periodStart", threshold, attempts as "attempt", state
    from quota_notifications
    where instance_id = ${tx.instanceId} and delivery_id = ${deliveryId} and unit = ${unit}
      and failure is not null and failure <> ${givenUp} ${rowLock(tx, "alone")}`);
}

/** Ends a call that failed. */
export async function endFailedCall(tx: Tx, deliveryId: string): Promise<void> {
  await tx.run(sql`update quota_notifications set state = 'failed', failure = ${givenUp}, changed_at = ${tx.now}
    where instance_id = ${tx.instanceId} and delivery_id = ${deliveryId}`);
}
