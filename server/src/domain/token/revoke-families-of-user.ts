import type { Tx } from "../../database/index.ts";
import { markFamiliesOfUserRevoked } from "./token-family.store.ts";
import { familyAggregate } from "./token-family.ts";

/** Step: revokes everything that was issued to or for a user who is being deleted. */
export async function revokeFamiliesOfUser(tx: Tx, userId: string): Promise<void> {
  for (const { familyId, clientId, sequence } of await markFamiliesOfUserRevoked(tx, userId)) {
    tx.record({
      type: "token_family.revoked",
      ...familyAggregate({ familyId, ownerId: tx.instanceId }),
      sequence,
      payload: { clientId, userId, reason: "user_deleted" },
    });
  }
}
