import type { Tx } from "../../database/index.ts";
import { markFamiliesOfUsersRevoked } from "./token-family.store.ts";
import { familyAggregate } from "./token-family.ts";

/** Users in one statement. */
const atOnce = 500;

/** Step: revokes everything that a client got of users who consented to what it was before it changed itself. */
export async function revokeFamiliesOfUsers(
  tx: Tx,
  { clientId, userIds }: { readonly clientId: string; readonly userIds: readonly string[] },
): Promise<void> {
  for (let from = 0; from < userIds.length; from += atOnce) {
    const some = userIds.slice(from, from + atOnce);
    for (const { familyId, userId, sequence } of await markFamiliesOfUsersRevoked(tx, clientId, some)) {
      tx.record({
        type: "token_family.revoked",
        ...familyAggregate({ familyId, ownerId: tx.instanceId }),
        sequence,
        payload: { clientId, userId, reason: "client_changed" },
      });
    }
  }
}
