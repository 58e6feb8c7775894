import type { Call } from "../../call/index.ts";
import type { Database } from "../../database/index.ts";
import { type RevocationReason, revokeFamily } from "./revoke-families.ts";

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
