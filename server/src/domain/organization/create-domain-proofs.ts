import { createFairTurns } from "../../base/budget/fair-turns.ts";
import { QueueFull } from "../../base/budget/semaphore.ts";
import { tooManyRequests } from "../../base/budget/spend.ts";
import { seconds } from "../../base/clock.ts";
import { type HasTextRecord, type Outbound, OutboundError } from "../../base/outbound/index.ts";
import type { DomainProofs } from "./organization-domain.ts";

// A lookup at a silent name server has ended by then.
const pause = seconds(10);

// Beside the turns of lookups, which sources have: an organization may ask from any number of addresses, and one
// address for any number of organizations.
const turns = { permits: 512, shares: [128, 32], queueLimits: [256, 64], queueLimit: 2_048 } as const;

/** Looks for proofs of domain ownership in the DNS, and in documents through the guarded outbound client. */
export function createDomainProofs({
  outbound,
  hasTextRecord,
}: {
  readonly outbound: Outbound;
  readonly hasTextRecord: HasTextRecord;
}): DomainProofs {
  const fair = createFairTurns(turns);
  return {
    inTurn: async ({ instanceId, organizationId }, search) => {
      const end = await turnOf(() => fair.take([instanceId, organizationId], pause));
      return search().finally(end);
    },
    hasTextRecord: (name, value) => orRefused(hasTextRecord(name, value)),
    hasDocument: (url, value) =>
      orRefused(
        outbound({ url, maximumBytes: 1024 }).then(({ status, body }) => status === 200 && body.trim() === value),
      ),
  };
}

async function turnOf<Turn>(take: () => Turn | Promise<Turn>): Promise<Turn> {
  try {
    return await take();
  } catch (error) {
    throw error instanceof QueueFull ? tooManyRequests(pause) : error;
  }
}

async function orRefused(isFound: Promise<boolean>): Promise<boolean> {
  try {
    return await isFound;
  } catch (error) {
    if (!(error instanceof OutboundError)) throw error;
    if (error.failure === "overloaded") throw tooManyRequests(pause);
    return false;
  }
}
