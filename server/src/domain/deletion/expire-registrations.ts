import type { Clock } from "../../base/clock.ts";
import type { Call } from "../../call/index.ts";
import type { Database } from "../../database/index.ts";
import { holdApplication } from "../application/index.ts";
import {
  isIdle,
  isUnused,
  listExpiredUnused,
  listIdle,
  listInstancesOfStrangers,
  markUsed,
  releaseUnpaid,
} from "../registration/index.ts";
import { discardApplication } from "./delete-application.ts";

export interface ExpireRegistrationsDeps {
  readonly database: Database;
  readonly clock: Clock;
}

// Each deletion is a unit of work of its own, with its events, so that other writers wait only briefly.
const batchSize = 200;

/**
 * Removes clients that strangers registered and that were not used within their period, for which no user pays, or that
 * were not used for a long time; returns how many.
 */
export async function expireRegistrations(
  { database, clock }: ExpireRegistrationsDeps,
  signal?: AbortSignal,
): Promise<number> {
  const callIn = (instanceId: string): Call => ({
    instanceId,
    requestId: "job expire_registrations",
    now: clock(),
    language: "en",
  });
  for (const instanceId of await listInstancesOfStrangers(database.read)) {
    if (signal?.aborted) return 0;
    await database.touch(callIn(instanceId), markUsed);
    await database.touch(callIn(instanceId), releaseUnpaid);
  }
  let count = 0;
  for (const { list, isOver } of [
    { list: listExpiredUnused, isOver: isUnused },
    { list: listIdle, isOver: isIdle },
  ]) {
    for (const { instanceId, applicationId } of await list(database.read, clock(), batchSize)) {
      if (signal?.aborted) return count;
      const isRemoved = await database.change(callIn(instanceId), async (tx) => {
        const application = await holdApplication(tx, applicationId);
        if (application === undefined || !(await isOver(tx, applicationId))) return false;
        await discardApplication(tx, application);
        return true;
      });
      if (isRemoved) count++;
    }
  }
  return count;
}
