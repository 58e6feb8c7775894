import type { FailedDelivery } from "../../base/queue/failed-delivery.ts";
import { type Call, requirePermission } from "../../call/index.ts";
import type { Database } from "../../database/index.ts";
import { failedQueues, mostOfQueue, numberOf } from "./failed-queues.ts";

/** A delivery that failed, with the name of its queue. */
export interface FailedEvent extends FailedDelivery {
  readonly queue: string;
  /** Names it within its group. */
  readonly number: number;
}

/** Lists deliveries of the instance that failed, for callers who may read the instance; the newest of each queue. */
export function listFailedEvents(deps: { readonly database: Database }, call: Call): Promise<FailedEvent[]> {
  requirePermission(call, "iam.read", {});
  return list(deps, { instanceId: call.instanceId, isForOperator: false });
}

/** Lists deliveries of all instances that failed, for system users. */
export function listAllFailedEvents(deps: { readonly database: Database }, call: Call): Promise<FailedEvent[]> {
  requirePermission(call, "system.debug.read", {});
  return list(deps, { instanceId: undefined, isForOperator: true });
}

async function list(
  { database }: { readonly database: Database },
  { instanceId, isForOperator }: { readonly instanceId: string | undefined; readonly isForOperator: boolean },
): Promise<FailedEvent[]> {
  const found: FailedEvent[] = [];
  for (const [queue, { isOfOperator, list: listOf }] of Object.entries(failedQueues)) {
    if (isOfOperator && !isForOperator) continue;
    const failed = await listOf(database.read, instanceId, mostOfQueue);
    found.push(...failed.map((delivery) => ({ ...delivery, queue, number: numberOf(delivery) })));
  }
  return found;
}
