import { type Call, requireCaller } from "../../call/index.ts";
import type { Database } from "../../database/index.ts";
import { withdrawConsent } from "../consent/index.ts";
import { listFamilyIdsOfClient } from "./client-access.store.ts";
import { revokeFamily } from "./revoke-family.ts";

/**
 * Takes everything from a client that it has of the caller: refresh and access tokens, and the consent, so that the
 * client has to ask again. Codes that it still holds are refused, because the consent is gone (`oauth/authority`). A
 * client that has nothing is fine.
 */
export function revokeOwnClient(
  deps: { readonly database: Database },
  call: Call,
  { clientId }: { readonly clientId: string },
): Promise<void> {
  const { userId, organizationId } = requireCaller(call);
  return deps.database.change(call, async (tx) => {
    // First, because tokens that are being issued hold the consent: afterwards they are listed, or were refused.
    await withdrawConsent(tx, { userId, clientId, organizationId });
    for (const familyId of await listFamilyIdsOfClient(tx, { userId, clientId })) {
      await revokeFamily(tx, familyId, "revoked_by_user");
    }
  });
}
