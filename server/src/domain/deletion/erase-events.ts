import type { Clock } from "../../base/clock.ts";
import { type Call, unconfirmed } from "../../call/index.ts";
import type { Database } from "../../database/index.ts";
import { eraseMarkedEvents, listInstancesToErase, listMarkedUsers } from "../user/index.ts";

// How many units of work a request erases in, at most 5,000 events. The rest is left to the job.
const mostOfRequest = 50;
// How many a run of the job erases in, so that its other work has its turn; and of how many users before it looks
// again.
const mostOfRun = 2000;
const usersAtOnce = 20;

/**
 * Erases what the event log still says of a user, after the commit that deleted the user. How much that is, others do
 * not pay for: a request erases of its own user alone, and no more than a part of very many events.
 */
export async function eraseEventsOfDeleted(database: Database, call: Call, userId: string): Promise<void> {
  for (let count = 0; count < mostOfRequest; count++) {
    if (!(await database.touch(unconfirmed(call), (tx) => eraseMarkedEvents(tx, userId)))) return;
  }
}

/**
 * Erases what requests left of deleted users, for the job: users of organizations that were deleted, users with very
 * many events, and after a crash. Instances and users have their turn one after the other. Returns how many are done.
 */
export async function finishErasures(
  { database, clock }: { readonly database: Database; readonly clock: Clock },
  signal?: AbortSignal,
): Promise<number> {
  let count = 0;
  for (let units = 0; ; ) {
    const instanceIds = await listInstancesToErase(database.read);
    if (instanceIds.length === 0) return count;
    for (const instanceId of instanceIds) {
      const call: Call = { instanceId, requestId: "erase-events", now: clock(), language: "en" };
      for (const userId of await listMarkedUsers(database.read, instanceId, usersAtOnce)) {
        if (signal?.aborted || units++ === mostOfRun) return count;
        if (!(await database.touch(call, (tx) => eraseMarkedEvents(tx, userId)))) count++;
      }
    }
  }
}
