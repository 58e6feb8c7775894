import type { Tx } from "../../database/index.ts";
import { type QuotaQueueDeps, queueCall } from "./claim-quota-call.ts";
import { endCall, postponeCall } from "./notification.store.ts";
import { nextAttemptAt, type QuotaCall } from "./notification.ts";
import { nextQuotaSequence } from "./quota.store.ts";
import { quotaAggregate } from "./quota.ts";

/** Records how an attempt ended. `failure` names what went wrong; absent when the address took the call. */
export async function settleQuotaCall(
  { database, clock }: QuotaQueueDeps,
  call: QuotaCall,
  failure: string | undefined,
): Promise<"delivered" | "postponed" | "failed"> {
  const { instanceId, attempt } = call;
  const now = clock();
  const next = failure === undefined ? undefined : nextAttemptAt(attempt, now);
  if (failure !== undefined && next !== undefined) {
    await database.touch(queueCall(instanceId, now), (tx) => postponeCall(tx, call, { at: next, failure }));
    return "postponed";
  }
  const state = failure === undefined ? "delivered" : "failed";
  await database.change(queueCall(instanceId, now), async (tx) => {
    if (await endCall(tx, call, { state, failure })) await recordEnd(tx, call, failure);
  });
  return state;
}

/** Step: records in the history how the call of a notification ended. */
export async function recordEnd(
  tx: Tx,
  call: Omit<QuotaCall, "callUrl" | "used">,
  failure: string | undefined,
): Promise<void> {
  const { deliveryId, unit, periodStart, threshold, attempt } = call;
  const sequence = await nextQuotaSequence(tx, call);
  if (sequence === undefined) throw new Error(`quota ${call.quotaId} was removed while its notification was sent`);
  tx.record({
    type: failure === undefined ? "quota.notification.delivered" : "quota.notification.failed",
    ...quotaAggregate(call),
    sequence,
    payload: {
      id: deliveryId,
      unit,
      periodStart,
      threshold,
      attempts: attempt,
      ...(failure !== undefined && { failure }),
    },
  });
}
