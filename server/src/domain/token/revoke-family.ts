import type { Call } from "../../call/index.ts";
import type { Database, Tx } from "../../database/index.ts";
import { markFamilyRevoked } from "./token-family.store.ts";
import { familyAggregate } from "./token-family.ts";

/** Why a family was revoked; part of its last event. */
export type RevocationReason =
  | "revoked_by_client"
  | "code_reused"
  | "refresh_token_reused"
  | "session_terminated"
  | "revoked_by_user"
  | "user_appointed";

/** Step: revokes everything that was issued from one authorization. Revoking twice is fine. */
export async function revokeFamily(tx: Tx, familyId: string, reason: RevocationReason): Promise<void> {
  const revoked = await markFamilyRevoked(tx, familyId);
  if (revoked === undefined) return;
  tx.record({
    type: "token_family.revoked",
    ...familyAggregate({ familyId, ownerId: tx.instanceId }),
    sequence: revoked.sequence,
    payload: { clientId: revoked.clientId, userId: revoked.userId, reason },
  });
}

/**
 * Revokes a family in a change of its own. For reuse that was found inside another change: that change ends in a
 * refusal and is rolled back, and must not undo the revocation.
 */
export async function revokeFamilyNow(
  deps: { readonly database: Database },
  call: Call,
  familyId: string,
  reason: RevocationReason,
): Promise<void> {
  await deps.database.change(call, (tx) => revokeFamily(tx, familyId, reason));
}
