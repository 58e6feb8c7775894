import { type FailedDelivery, givenUp } from "../../base/queue/failed-delivery.ts";
import { type Reader, rowLock, sql, type Tx } from "../../database/index.ts";
import { type DeliveryState, lastAttemptAt } from "./delivery.ts";

interface Row {
  readonly instanceId: string;
  readonly targetId: string;
  readonly number: number;
  readonly state: DeliveryState;
  readonly attempts: number;
  readonly failure: string;
  readonly nextAttemptAt: number;
  readonly settledAt: number | null;
}

/** Lists the newest deliveries that failed and no administrator gave up; of all instances without an id. */
export async function listFailedDeliveries(
  reader: Reader,
  instanceId: string | undefined,
  limit: number,
): Promise<FailedDelivery[]> {
  const ofInstance = instanceId === undefined ? sql`` : sql`and instance_id = ${instanceId}`;
  const rows = await reader.all<Row>(sql`select instance_id as "instanceId", target_id as "targetId", number, state,
      attempts, failure, next_attempt_at as "nextAttemptAt", settled_at as "settledAt" from deliveries
    where failure is not null and failure <> ${givenUp} ${ofInstance}
    order by created_at desc, number desc limit ${limit}`);
  return rows.map(({ instanceId: of, targetId: group, number, attempts, failure, ...row }) => {
    const failedAt = row.settledAt ?? lastAttemptAt(attempts, row.nextAttemptAt);
    return { instanceId: of, group, id: String(number), attempts, failure, failedAt };
  });
}

/** Finds what a delivery that failed is about, and locks it. */
export function holdFailedDelivery(
  tx: Tx,
  { targetId, number }: { readonly targetId: string; readonly number: number },
): Promise<{ readonly subject: string } | undefined> {
  return tx.maybe<{ subject: string }>(sql`select subject from deliveries
    where instance_id = ${tx.instanceId} and target_id = ${targetId} and number = ${number}
      and failure is not null and failure <> ${givenUp} ${rowLock(tx, "alone")}`);
}

/** Ends a delivery that failed, without its payload. */
export async function endFailedDelivery(
  tx: Tx,
  { targetId, number }: { readonly targetId: string; readonly number: number },
): Promise<void> {
  await tx.run(sql`update deliveries set state = 'failed', failure = ${givenUp}, payload = null,
      settled_at = coalesce(settled_at, ${tx.now})
    where instance_id = ${tx.instanceId} and target_id = ${targetId} and number = ${number}`);
}
