import { type Call, requireCaller } from "../../call/index.ts";
import type { Database } from "../../database/index.ts";
import { withdrawConsent } from "../consent/index.ts";
import { withdrawApprovals } from "../device-authorization/index.ts";
import { forgetSessionClientOfUsers } from "../session/index.ts";
import { deleteWaitingCodes } from "./authorization-code.store.ts";
import { listFamilyIdsOfClient } from "./client-access.store.ts";
import { revokeFamily } from "./revoke-family.ts";

/**
 * Takes everything from a client that it has of the caller: refresh and access tokens, codes and approved devices that
 * wait for their tokens, the notice of the next sign-out, and the consent, so that the client has to ask again. A client
 * that has nothing is fine.
 */
export async function revokeOwnClient(
  deps: { readonly database: Database },
  call: Call,
  { clientId }: { readonly clientId: string },
): Promise<void> {
  const { userId, organizationId } = requireCaller(call);
  // Codes are no history, so they have a unit of work of their own. It comes first: a redemption that was faster has its
  // family by now, which is found below.
  await deps.database.touch(call, (tx) => deleteWaitingCodes(tx, { userId, clientId }));
  await deps.database.change(call, async (tx) => {
    // First, because tokens that are being issued hold the consent: afterwards they are listed, or were refused.
    await withdrawConsent(tx, { userId, clientId, organizationId });
    await withdrawApprovals(tx, { userId, clientId });
    for (const familyId of await listFamilyIdsOfClient(tx, { userId, clientId })) {
      await revokeFamily(tx, familyId, "revoked_by_user");
    }
    await forgetSessionClientOfUsers(tx, { clientId, userIds: [userId] });
  });
}
