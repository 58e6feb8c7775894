import type { IdGenerator } from "../../base/id.ts";
import type { Call } from "../../call/index.ts";
import type { Database } from "../../database/index.ts";
import { insertNotification } from "./notification.store.ts";
import { nextQuotaSequence } from "./quota.store.ts";
import { type DueNotification, piecesOf, type Quota, quotaAggregate } from "./quota.ts";

/** Queues a call for each notification whose threshold was not reached before in the period. */
export function queueNotifications(
  { database, newId }: { readonly database: Database; readonly newId: IdGenerator },
  call: Call,
  {
    quota,
    periodStart,
    used,
    due,
  }: {
    readonly quota: Quota;
    readonly periodStart: number;
    readonly used: number;
    readonly due: readonly DueNotification[];
  },
): Promise<void> {
  return database.change(call, async (tx) => {
    for (const notification of due) {
      const deliveryId = newId();
      if (!(await insertNotification(tx, quota, { ...notification, deliveryId, periodStart, used }))) continue;
      const sequence = await nextQuotaSequence(tx, quota);
      if (sequence === undefined) throw new Error(`quota ${quota.quotaId} was removed while it was counted`);
      tx.record({
        type: "quota.notification.queued",
        ...quotaAggregate(quota),
        sequence,
        payload: {
          id: deliveryId,
          unit: quota.unit,
          periodStart,
          threshold: notification.threshold,
          usage: Math.floor(used / piecesOf[quota.unit]),
        },
      });
    }
  });
}
