import { Fault } from "../base/fault.ts";
import { createHasTextRecord } from "../base/text-record.ts";
import type { DomainProofs } from "../domain/organization/index.ts";

/** Looks for proofs of ownership in the DNS. Proofs in documents wait for the guard of outbound requests. */
export function createDomainProofs(): DomainProofs {
  return {
    hasTextRecord: createHasTextRecord(),
    hasDocument: async () => {
      throw new Fault("unimplemented", "organization.document_proof_unavailable", { field: "domain" });
    },
  };
}
