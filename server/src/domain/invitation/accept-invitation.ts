import type { Tx } from "../../database/index.ts";
import { type ContactProofDeps, redeemCode, updateEmailVerified } from "../contact/index.ts";
import { findUser, recordUserEvent, toldProof, type User } from "../user/index.ts";

/**
 * Step: uses up the code of an invitation, which proves the address that it was sent to. Returns the user, and
 * who had the code as well; undefined for a wrong
 * code: the guess is counted, so nothing may be thrown inside the unit of work.
 */
export async function acceptInvitation(
  tx: Tx,
  deps: ContactProofDeps,
  { userId, code }: { readonly userId: string; readonly code: string },
): Promise<{ readonly user: User; readonly author: string } | undefined> {
  const redeemed = await redeemCode(tx, deps, { userId, code, kind: "invitation" });
  const user = redeemed && (await findUser(tx, tx.instanceId, userId));
  if (redeemed === undefined || user === undefined) return undefined;
  const { recipient: address, proof, author } = redeemed;
  await updateEmailVerified(tx, userId, { address, proof });
  await recordUserEvent(tx, user, {
    type: "user.invitation.accepted",
    payload: { email: address, proof: toldProof(proof) },
  });
  return { user, author };
}
