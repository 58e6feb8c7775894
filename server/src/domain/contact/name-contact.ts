import type { Tx } from "../../database/index.ts";
import { authorOfCredential, type HumanUser } from "../user/index.ts";
import { findContactOrigins, updateContactAuthor } from "./contact-origin.store.ts";
import { type ContactProofDeps, isGoodOrigin } from "./is-good-proof.ts";

/**
 * Step: stores that the caller names an address or a number of a user; before it is set, so that what is known of a former
 * one counts, and only with a change that is recorded. Naming the same again makes the user its author. An administrator becomes the author only where the former one
 * is not good enough for what the user administers by now: a lesser administrator who repeats it must not make it worse.
 */
export async function nameContact(
  tx: Tx,
  deps: ContactProofDeps,
  user: HumanUser,
  { channel, isSame }: { readonly channel: "email" | "sms"; readonly isSame: boolean },
): Promise<void> {
  const author = authorOfCredential(tx.call, user);
  if (isSame && author !== "") {
    const { [channel]: origin } = await findContactOrigins(tx, tx.instanceId, user.userId);
    if (await isGoodOrigin(tx, tx.instanceId, deps, { user, origin })) return;
  }
  await updateContactAuthor(tx, user.userId, { channel, author });
}
