import type { Tx } from "../../database/index.ts";
import { type ContactProofDeps, redeemCode, updateEmailVerified } from "../contact/index.ts";
import { findUser, hasBegun, recordUserEvent, toldProof, type User } from "../user/index.ts";

export interface AcceptedInvitation {
  readonly user: User;
  /** Those who had the code as well, or could have read its message. */
  readonly author: string;
  readonly isFromMessage: boolean;
}

/**
 * Step: uses up the code of an invitation, which proves the address that it was sent to. Returns undefined for a wrong
 * code: the guess is counted, so nothing may be thrown inside the unit of work. Also undefined for a user who now has a
 * password or a factor, and could no longer be invited.
 */
export async function acceptInvitation(
  tx: Tx,
  deps: ContactProofDeps,
  { userId, code }: { readonly userId: string; readonly code: string },
): Promise<AcceptedInvitation | undefined> {
  const invited = await findUser(tx, tx.instanceId, userId);
  if (invited?.kind === "human" && (await hasBegun(tx, invited))) return undefined;
  const redeemed = await redeemCode(tx, deps, { userId, code, kind: "invitation" });
  const user = redeemed && (await findUser(tx, tx.instanceId, userId));
  if (redeemed === undefined || user === undefined) return undefined;
  const { recipient: address, proof, author, isFromMessage } = redeemed;
  await updateEmailVerified(tx, userId, { address, proof });
  await recordUserEvent(tx, user, {
    type: "user.invitation.accepted",
    payload: { email: address, proof: toldProof(proof) },
  });
  return { user, author, isFromMessage };
}
