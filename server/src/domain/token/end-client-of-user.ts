import { performBefore, type Tx } from "../../database/index.ts";
import { findConsent, withdrawConsent } from "../consent/index.ts";
import { withdrawApprovals } from "../device-authorization/index.ts";
import { forgetClientOfUsers } from "../logout-notice/index.ts";
import { type RevocationReason, revokeFamilies } from "./revoke-families.ts";

/** What a client has of a user. */
export interface ClientOfUser {
  readonly userId: string;
  /** Of the user. */
  readonly organizationId: string;
  readonly clientId: string;
}

/**
 * Step: withdraws the consent of a user to a client, with what the client got by it: refresh and access tokens,
 * approved devices that wait for their tokens, and the notice of the next sign-out. Waiting codes are refused without
 * the consent.
 *
 * The consent goes first, in a unit of its own. Tokens that are being issued hold it: afterwards they are listed, or
 * were refused. Renewals have their family before they share the consent, so that a unit with the consent that waits
 * for the families would lose to a client that renews all the time.
 */
export async function endClientOfUser(
  tx: Tx,
  { userId, organizationId, clientId }: ClientOfUser,
  reason: RevocationReason,
): Promise<void> {
  const consent = { userId, clientId };
  await performBefore(tx, {
    isLeft: async (own) => (await findConsent(own, own.instanceId, consent)) !== undefined,
    perform: (own) => withdrawConsent(own, { ...consent, organizationId }),
  });
  await withdrawApprovals(tx, { userId, clientId });
  await revokeFamilies(tx, { userIds: [userId], clientId }, reason);
  await forgetClientOfUsers(tx, { clientId, userIds: [userId] });
}
