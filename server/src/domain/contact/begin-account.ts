import type { Tx } from "../../database/index.ts";
import { findUser, type HumanUser, hasBegun, recordUserEvent, toldProof } from "../user/index.ts";
import { updateEmailVerified } from "./contact.store.ts";
import type { ContactProofDeps } from "./is-good-proof.ts";
import { type RedeemedCode, redeemCode } from "./redeem-code.ts";

export interface BeginDeps extends ContactProofDeps {
  /** Step of a later module (`sign-out`): removes what others could have left in the account. */
  readonly removePrepared: (tx: Tx, user: HumanUser) => Promise<void>;
}

export interface Beginning {
  readonly userId: string;
  /** The kind of code with which the user was asked to begin. */
  readonly kind: "initialization" | "invitation";
  readonly code: string;
}

const events = { initialization: "user.email.verified", invitation: "user.invitation.accepted" } as const;

/**
 * Step: begins an account with the code of the message about it. Uses up the code, proves the address that it was sent
 * to, and removes what those who had the account until then could have left in it: from now on it belongs to the
 * reader of that address. Returns undefined for a wrong code: the guess is counted, so nothing may be thrown inside the
 * unit of work. Also undefined for an invitation of a user who has a password or a factor by now.
 */
export async function beginAccount(
  tx: Tx,
  deps: BeginDeps,
  { userId, kind, code }: Beginning,
): Promise<(RedeemedCode & { readonly user: HumanUser }) | undefined> {
  // Asked inside, where an invitation may have been accepted in another way meanwhile.
  const user = await findUser(tx, tx.instanceId, userId);
  if (kind === "invitation" && user?.kind === "human" && (await hasBegun(tx, user))) return undefined;
  const redeemed = await redeemCode(tx, deps, { userId, kind, code });
  if (redeemed === undefined || user?.kind !== "human") return undefined;
  const { recipient: address, proof } = redeemed;
  await updateEmailVerified(tx, userId, { address, proof });
  // This locks the user, so that what is being added at the same time is either removed below or comes later.
  await recordUserEvent(tx, user, { type: events[kind], payload: { email: address, proof: toldProof(proof) } });
  await deps.removePrepared(tx, user);
  return { ...redeemed, user };
}
