import type { Instant } from "../../base/clock.ts";
import type { Call } from "../../call/index.ts";
import type { Reader } from "../../database/index.ts";
import { findLimits } from "./limits.store.ts";

/**
 * Returns since when lists show the events of the instance of the call; undefined when they show all. `since` is what
 * the caller asked for.
 */
export async function shownSince(reader: Reader, call: Call, since?: Instant): Promise<Instant | undefined> {
  const { auditLogRetention } = (await findLimits(reader, call.instanceId)) ?? {};
  if (auditLogRetention === undefined) return since;
  return Math.max(since ?? Number.NEGATIVE_INFINITY, call.now - auditLogRetention);
}
