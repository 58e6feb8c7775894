import type { Tx } from "../../database/index.ts";
import { updateEmailVerified } from "./contact.store.ts";
import { recordUserEvent } from "./record-user.ts";
import { redeemCode } from "./redeem-code.ts";
import { findUser } from "./user.store.ts";
import type { User } from "./user.ts";

/**
 * Step: uses up the code of an invitation, which proves the address that it was sent to. Returns undefined for a wrong
 * code: the guess is counted, so nothing may be thrown inside the unit of work.
 */
export async function acceptInvitation(
  tx: Tx,
  { userId, code }: { readonly userId: string; readonly code: string },
): Promise<User | undefined> {
  const redeemed = await redeemCode(tx, { userId, code, kind: "invitation" });
  const user = redeemed && (await findUser(tx, tx.instanceId, userId));
  if (redeemed === undefined || user === undefined) return undefined;
  const { recipient: address, proof } = redeemed;
  await updateEmailVerified(tx, userId, { address, proof });
  await recordUserEvent(tx, user, { type: "user.invitation.accepted", payload: { email: address, proof } });
  return user;
}
