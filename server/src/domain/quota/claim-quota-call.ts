import type { Clock } from "../../base/clock.ts";
import type { Call } from "../../call/index.ts";
import type { Database } from "../../database/index.ts";
import { claimCall, listDueCalls } from "./notification.store.ts";
import type { QuotaCall } from "./notification.ts";

export interface QuotaQueueDeps {
  readonly database: Database;
  readonly clock: Clock;
}

// Several, because other nodes may claim the first ones meanwhile.
const candidates = 20;

/** Returns the call of work on a notification of an instance. */
export const queueCall = (instanceId: string, now: number): Call => ({
  instanceId,
  requestId: "quota notifications",
  now,
  language: "en",
});

/**
 * Claims one attempt at the notification that has been due the longest, of any instance except the given ones;
 * undefined when none is due.
 */
export async function claimQuotaCall(
  { database, clock }: QuotaQueueDeps,
  except: readonly string[] = [],
): Promise<QuotaCall | undefined> {
  const now = clock();
  for (const { instanceId, deliveryId } of await listDueCalls(database.read, { now, except, limit: candidates })) {
    const claimed = await database.touch(queueCall(instanceId, now), (tx) => claimCall(tx, deliveryId));
    if (claimed !== undefined) return claimed;
  }
  return undefined;
}
