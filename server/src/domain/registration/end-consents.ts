import type { Tx } from "../../database/index.ts";
import { deleteConsentsOfClient } from "../consent/index.ts";
import { revokeFamiliesOfUsers } from "../token/index.ts";

/** Step: ends the consents that users gave to a client, and what it got by them. */
export async function endConsents(tx: Tx, clientId: string): Promise<void> {
  // First, because tokens that are being issued hold the consent: afterwards they are found, or were refused.
  const userIds = await deleteConsentsOfClient(tx, clientId);
  await revokeFamiliesOfUsers(tx, { clientId, userIds });
}
