import { isLoginClient, requireCaller } from "../../call/index.ts";
import type { Reader, Tx } from "../../database/index.ts";
import { type HumanUser, isSelf, type ManagesUsers, type MayPrepareNow } from "../user/index.ts";
import { findContactOrigins } from "./contact-origin.store.ts";
import { type ContactProofDeps, isGoodProof } from "./is-good-proof.ts";

type Channel = "email" | "sms";

/** Dependencies for judging where messages may go that open an account. */
export interface OpeningDeps extends ContactProofDeps {
  readonly managesUsers: ManagesUsers;
  readonly mayPrepareNow: MayPrepareNow;
}

/**
 * Returns where a message may go that opens the account to its reader; undefined where nothing is proven, or only by
 * the word of those who administered less than the user does now.
 */
export async function provenRecipientOf(
  reader: Reader,
  instanceId: string,
  deps: ContactProofDeps,
  { user, channel }: { readonly user: HumanUser; readonly channel: Channel },
): Promise<string | undefined> {
  const contact = contactOf(user, channel);
  if (contact?.isVerified !== true) return undefined;
  const isGood = await isGoodProof(reader, instanceId, deps, { user, channel, proof: contact.proof });
  return isGood ? recipientOf(user, channel) : undefined;
}

/**
 * Returns where such a message may go that a caller asks for, whatever it opens the account with; undefined for
 * nowhere. Users and sign-in applications have it sent where `provenRecipientOf` allows: an application passes on what
 * strangers typed, and the owner of an address must not get to an account that another person prepared with it.
 * Administrators who hold at least what the user does, wherever that is, also have it sent to what is only called
 * verified, and to what those who manage the user named.
 */
export async function findOpeningRecipient(
  tx: Tx,
  deps: OpeningDeps,
  user: HumanUser,
  channel: Channel,
): Promise<string | undefined> {
  const { call } = tx;
  const mayChoose =
    !isSelf(call, user.userId) &&
    !isLoginClient(requireCaller(call).access) &&
    (await deps.mayPrepareNow(tx, call, user.userId)) &&
    (contactOf(user, channel)?.isVerified === true || (await isNamedByManagers(tx, deps, user, channel)));
  return mayChoose ? recipientOf(user, channel) : provenRecipientOf(tx, tx.instanceId, deps, { user, channel });
}

async function isNamedByManagers(
  tx: Tx,
  { managesUsers }: OpeningDeps,
  { userId, organizationId }: HumanUser,
  channel: Channel,
): Promise<boolean> {
  const { [channel]: origin } = await findContactOrigins(tx, tx.instanceId, userId);
  return origin !== undefined && managesUsers(origin.namedBy, organizationId);
}

const contactOf = ({ email, phone }: HumanUser, channel: Channel) => (channel === "email" ? email : phone);

/** Returns the address or number of a user, proven or not. */
export const recipientOf = ({ email, phone }: HumanUser, channel: Channel): string | undefined =>
  channel === "email" ? email.address : phone?.number;
