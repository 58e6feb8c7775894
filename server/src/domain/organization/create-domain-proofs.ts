import { type HasTextRecord, type Outbound, OutboundError } from "../../base/outbound/index.ts";
import type { DomainProofs } from "./organization-domain.ts";

/** Looks for proofs of domain ownership in the DNS, and in documents through the guarded outbound client. */
export function createDomainProofs({
  outbound,
  hasTextRecord,
}: {
  readonly outbound: Outbound;
  readonly hasTextRecord: HasTextRecord;
}): DomainProofs {
  return {
    hasTextRecord,
    hasDocument: async (url, value) => {
      try {
        const { status, body } = await outbound({ url, maximumBytes: 1024 });
        return status === 200 && body.trim() === value;
      } catch (error) {
        if (error instanceof OutboundError) return false;
        throw error;
      }
    },
  };
}
