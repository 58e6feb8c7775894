import { Fault } from "../../base/fault.ts";
import type { Tx } from "../../database/index.ts";
import { countUnused, countUsed, type StrangersCount } from "./strangers-registration.store.ts";

/** What unauthenticated registrations may leave behind in one instance. */
export interface RegistrationQuota {
  /** Clients not yet used, in the whole instance. */
  readonly maximumUnused: number;
  /** Clients not yet used from one address, or one /64 of IPv6. */
  readonly maximumUnusedPerSource: number;
  /** After this time in milliseconds an unused client is removed. */
  readonly unusedLifetime: number;
}

/** So many times the limits of unused clients are those of clients in use: anyone with an account uses what they register. */
const usedForUnused = 10;

/**
 * Step: refuses a registration beyond the quota. The caller holds the project alone, so that counting and adding are
 * one.
 */
export async function checkQuota(tx: Tx, quota: RegistrationQuota, source: string | undefined): Promise<void> {
  const isFull = ({ all, ofSource }: StrangersCount, factor: number): boolean =>
    all >= quota.maximumUnused * factor || (source !== undefined && ofSource >= quota.maximumUnusedPerSource * factor);
  const unused = await countUnused(tx, source);
  if (isFull(unused, 1)) throw tooMany(((unused.nextExpiry ?? tx.now) - tx.now) / 1000);
  if (isFull(await countUsed(tx, source), usedForUnused)) throw tooMany(longestWait);
}

const longestWait = 3600;

function tooMany(wait: number): Fault {
  const seconds = Math.min(longestWait, Math.max(1, Math.ceil(wait)));
  return new Fault("resource_exhausted", "registration.too_many", { values: { seconds } });
}
