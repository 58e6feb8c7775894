import { authorOf } from "../../call/index.ts";
import type { Tx } from "../../database/index.ts";
import { type HumanUser, isSelf } from "../user/index.ts";
import { type ContactProofDeps, isGoodProof } from "./is-good-proof.ts";

type Channel = "email" | "sms";

/**
 * Returns where a message may go that opens the account to its reader; undefined where nothing is proven, or only by
 * the word of those who administered less than the user does now.
 */
export async function provenRecipientOf(
  tx: Tx,
  deps: ContactProofDeps,
  user: HumanUser,
  channel: Channel,
): Promise<string | undefined> {
  const contact = channel === "email" ? user.email : user.phone;
  if (contact?.isVerified !== true) return undefined;
  const isGood = await isGoodProof(tx, tx.instanceId, deps, { user, channel, proof: contact.proof });
  return isGood ? recipientOf(user, channel) : undefined;
}

/**
 * Returns where such a message may go when an administrator sends it: to whatever address the user has, if the
 * administrator holds at least what the user does, wherever that is; otherwise only where `provenRecipientOf` allows.
 */
export async function recipientForAdministrator(
  tx: Tx,
  deps: ContactProofDeps,
  user: HumanUser,
  channel: Channel,
): Promise<string | undefined> {
  const mayChoose =
    !isSelf(tx.call, user.userId) && (await deps.mayPrepareFor(tx, tx.instanceId, authorOf(tx.call), user.userId));
  return mayChoose ? recipientOf(user, channel) : provenRecipientOf(tx, deps, user, channel);
}

/** Returns the address or number of a user, proven or not. */
export const recipientOf = ({ email, phone }: HumanUser, channel: Channel): string | undefined =>
  channel === "email" ? email.address : phone?.number;
