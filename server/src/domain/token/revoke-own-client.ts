import { type Call, requireCaller, unconfirmed } from "../../call/index.ts";
import type { Database } from "../../database/index.ts";
import { withdrawConsent } from "../consent/index.ts";
import { endImpersonationsAt } from "../impersonation/index.ts";
import { forgetClientOfUsers } from "../logout-notice/index.ts";
import { deleteWaitingCodes } from "./authorization-code.store.ts";
import { endClientOfUser } from "./end-client-of-user.ts";

/**
 * Takes everything from a client that it has of the caller: refresh and access tokens, codes and approved devices that
 * wait for their tokens, the notice of the next sign-out, and the consent. The client then has to ask again, and
 * administrators who use it as the caller have to begin anew. Succeeds if the client has nothing.
 */
export async function revokeOwnClient(
  deps: { readonly database: Database },
  call: Call,
  { clientId }: { readonly clientId: string },
): Promise<void> {
  const { userId, organizationId } = requireCaller(call);
  // Codes are not history, so they have a unit of work of their own. It comes first: a faster redemption has already
  // created its family, which is found below.
  // Nor is it history that a session knows the client, which may be the only trace of it.
  await deps.database.touch(call, async (tx) => {
    await deleteWaitingCodes(tx, { userId, clientId });
    await forgetClientOfUsers(tx, { clientId, userIds: [userId] });
  });
  const held = { userId, clientId, organizationId };
  // In a unit of its own as well, which waits for nothing else: nothing is issued from then on.
  await deps.database.change(call, (tx) => withdrawConsent(tx, held));
  // The client may be the one that calls, so its rights may have ended with that. The tokens are revoked all the same.
  const rest = unconfirmed(call);
  await deps.database.change(rest, (tx) => endImpersonationsAt(tx, held));
  await deps.database.change(rest, (tx) => endClientOfUser(tx, held, "revoked_by_user"));
}
