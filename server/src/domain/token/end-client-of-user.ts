import type { Tx } from "../../database/index.ts";
import { withdrawConsent } from "../consent/index.ts";
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
 * Devices and families go first, as redemptions and renewals have theirs before they share the consent: a unit that has
 * the consent and waits for the families would lose to a client that renews all the time. Then those of codes that were
 * redeemed meanwhile: tokens that are being issued hold the consent, so afterwards they are listed, or were refused.
 */
export async function endClientOfUser(
  tx: Tx,
  { userId, organizationId, clientId }: ClientOfUser,
  reason: RevocationReason,
): Promise<void> {
  const families = { userIds: [userId], clientId };
  await withdrawApprovals(tx, { userId, clientId });
  await revokeFamilies(tx, families, reason);
  await withdrawConsent(tx, { userId, clientId, organizationId });
  await revokeFamilies(tx, families, reason);
  await forgetClientOfUsers(tx, { clientId, userIds: [userId] });
}
