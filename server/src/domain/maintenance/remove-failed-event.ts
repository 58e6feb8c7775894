import { Fault } from "../../base/fault.ts";
import { type Call, requirePermission } from "../../call/index.ts";
import type { Database } from "../../database/index.ts";
import { authorizeInstance, callIn } from "../instance/index.ts";
import { failedQueues, mostOfQueue, numberOf } from "./failed-queues.ts";

/** Names a delivery that failed, as lists do. */
export interface FailedEventKey {
  readonly queue: string;
  readonly group: string;
  readonly number: number;
}

/** Gives up a delivery of the instance that failed, for callers who may change the instance. */
export async function removeFailedEvent(
  deps: { readonly database: Database },
  call: Call,
  key: FailedEventKey,
): Promise<void> {
  requirePermission(call, "iam.write", {});
  await giveUp(deps, call, key, { isForOperator: false });
}

/** Gives up a delivery of any instance that failed, for system users. Without an id, of the instance of the request. */
export async function removeFailedEventOf(
  deps: { readonly database: Database },
  call: Call,
  { instanceId, ...key }: FailedEventKey & { readonly instanceId: string },
): Promise<void> {
  const inside = callIn(call, instanceId);
  await authorizeInstance(deps.database.read, call, inside.instanceId, { systemPermission: "system.debug.delete" });
  await giveUp(deps, inside, key, { isForOperator: true });
}

// Not a change: what had failed for good has its event already.
async function giveUp(
  { database }: { readonly database: Database },
  call: Call,
  { queue: name, group, number }: FailedEventKey,
  { isForOperator }: { readonly isForOperator: boolean },
): Promise<void> {
  const queue = Object.hasOwn(failedQueues, name) ? failedQueues[name] : undefined;
  if (queue === undefined || (queue.isOfOperator && !isForOperator)) throw absent();
  const listed = await queue.list(database.read, call.instanceId, mostOfQueue);
  const found = listed.find((each) => each.group === group && numberOf(each) === number);
  if (found === undefined) throw absent();
  await database.touch(call, async (tx) => {
    if (!(await queue.giveUp(tx, found))) throw absent();
  });
}

const absent = (): Fault => new Fault("not_found", "failed_event.not_found", { field: "failed_sequence" });
