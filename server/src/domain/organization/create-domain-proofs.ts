import { tooManyRequests } from "../../base/budget/spend.ts";
import { seconds } from "../../base/clock.ts";
import { type HasTextRecord, type Outbound, OutboundError } from "../../base/outbound/index.ts";
import type { DomainProofs } from "./organization-domain.ts";

// A lookup at a silent name server has ended by then.
const pause = seconds(10);

/** Looks for proofs of domain ownership in the DNS, and in documents through the guarded outbound client. */
export function createDomainProofs({
  outbound,
  hasTextRecord,
}: {
  readonly outbound: Outbound;
  readonly hasTextRecord: HasTextRecord;
}): DomainProofs {
  return {
    hasTextRecord: (name, value) => orRefused(hasTextRecord(name, value)),
    hasDocument: (url, value) =>
      orRefused(
        outbound({ url, maximumBytes: 1024 }).then(({ status, body }) => status === 200 && body.trim() === value),
      ),
  };
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
