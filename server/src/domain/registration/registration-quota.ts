import { networksOfBlock } from "../../base/budget/network-of.ts";
import { Fault } from "../../base/fault.ts";
import type { Tx } from "../../database/index.ts";
import { makeRoom, type RoomDeps } from "./make-room.ts";
import { countUnused } from "./strangers-registration.store.ts";

/** What unauthenticated registrations may leave behind in one instance. */
export interface RegistrationQuota {
  /** Clients not yet used, in the whole instance. */
  readonly maximumUnused: number;
  /** Clients not yet used from one address, or one /64 of IPv6; a /48 has four times as many. */
  readonly maximumUnusedPerSource: number;
  /** After this time in milliseconds an unused client is removed. */
  readonly unusedLifetime: number;
}

/**
 * Step: refuses a registration beyond the quota. Where it is that of the instance, sources that have more make room.
 * The caller holds the project alone, so that counting and adding are one. Clients in use are not counted: their users
 * pay for them.
 */
export async function takeFromQuota(
  tx: Tx,
  deps: RoomDeps,
  { quota, source }: { readonly quota: RegistrationQuota; readonly source: string | undefined },
): Promise<void> {
  const { all, ofSource, ofBlock, nextExpiry } = await countUnused(tx, source);
  const most = quota.maximumUnusedPerSource;
  const isSpent = source !== undefined && (ofSource >= most || ofBlock >= most * networksOfBlock);
  if (!isSpent && all < quota.maximumUnused) return;
  // Above it, after an administrator lowered it, one that goes leaves no room.
  const hasRoom = !isSpent && all === quota.maximumUnused && (await makeRoom(tx, deps, source));
  if (!hasRoom) throw tooMany(((nextExpiry ?? tx.now) - tx.now) / 1000);
}

const longestWaitSeconds = 3600;

function tooMany(wait: number): Fault {
  const seconds = Math.min(longestWaitSeconds, Math.max(1, Math.ceil(wait)));
  return new Fault("resource_exhausted", "registration.too_many", { values: { seconds } });
}
