import type { Clock } from "../../base/clock.ts";
import { type Call, unconfirmed } from "../../call/index.ts";
import type { Database } from "../../database/index.ts";
import { eraseMarkedEvents, listInstancesToErase, listMarkedUsers } from "../user/index.ts";

const usersAtOnce = 20;

/**
 * Erases what the event log still says of deleted users of an instance, after the commit that deleted them. Returns of
 * how many.
 */
export async function eraseEventsOfDeleted(database: Database, call: Call, signal?: AbortSignal): Promise<number> {
  let count = 0;
  while (!signal?.aborted) {
    const userIds = await listMarkedUsers(database.read, call.instanceId, usersAtOnce);
    if (userIds.length === 0) break;
    await database.touch(unconfirmed(call), (tx) => eraseMarkedEvents(tx, userIds));
    count += userIds.length;
  }
  return count;
}

/** The same in all instances, for the job: after a crash. */
export async function finishErasures(
  { database, clock }: { readonly database: Database; readonly clock: Clock },
  signal?: AbortSignal,
): Promise<number> {
  let count = 0;
  for (const instanceId of await listInstancesToErase(database.read)) {
    const call: Call = { instanceId, requestId: "erase-events", now: clock(), language: "en" };
    count += await eraseEventsOfDeleted(database, call, signal);
  }
  return count;
}
