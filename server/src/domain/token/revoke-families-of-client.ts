import type { Tx } from "../../database/index.ts";
import { markFamiliesOfClientRevoked } from "./token-family.store.ts";
import { familyAggregate } from "./token-family.ts";

/** Step: revokes everything that was issued to a client that is being deleted. */
export async function revokeFamiliesOfClient(tx: Tx, clientId: string): Promise<void> {
  for (const { familyId, userId, sequence } of await markFamiliesOfClientRevoked(tx, clientId)) {
    tx.record({
      type: "token_family.revoked",
      ...familyAggregate({ familyId, ownerId: tx.instanceId }),
      sequence,
      payload: { clientId, userId, reason: "client_deleted" },
    });
  }
}
