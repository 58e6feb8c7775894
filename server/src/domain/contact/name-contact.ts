import { formatAuthor, type Preparation, parseAuthor } from "../../call/index.ts";
import type { Tx } from "../../database/index.ts";
import { findAuthorOfCredential, type HumanUser } from "../user/index.ts";
import { findContactOrigins, updateContactAuthor } from "./contact-origin.store.ts";
import { findUserAsAuthor } from "./held-role.store.ts";
import { type ContactProofDeps, isGoodOrigin } from "./is-good-proof.ts";

/**
 * Step: stores that the caller names an address or a number of a user; before it is set, so that what is known of a
 * former one counts, and only with a change that is recorded. Naming the same again makes the user its author. An
 * administrator becomes the author only where the former one is not good enough for what the user administers now:
 * an administrator with fewer rights who repeats it must not make it less trustworthy. A sign-in application names it
 * for those who could have signed in there in the user's place.
 */
export async function nameContact(
  tx: Tx,
  deps: ContactProofDeps,
  user: HumanUser,
  { channel, isSame }: { readonly channel: "email" | "sms"; readonly isSame: boolean },
): Promise<void> {
  const author = await findAuthorNow(tx, deps, user);
  if (isSame && author !== "") {
    const { [channel]: origin } = await findContactOrigins(tx, tx.instanceId, user.userId);
    if (await isGoodOrigin(tx, tx.instanceId, deps, { user, origin })) return;
  }
  await updateContactAuthor(tx, user.userId, { channel, author });
}

// A session that is good for what the user administers because of their present address names the next one: that is as
// good as what the user administers now, and must not depend on the address that is being replaced.
async function findAuthorNow(tx: Tx, { mayPrepareFor }: ContactProofDeps, user: HumanUser): Promise<string> {
  const author = await findAuthorOfCredential(tx, user);
  if (author === "") return author;
  const parsed = parseAuthor(author);
  if (!("preparedBy" in parsed) || !parsed.preparedBy.some(isThroughRecipient)) return author;
  const held = await findUserAsAuthor(tx, tx.instanceId, user.userId);
  if (held.length === 0 || !(await mayPrepareFor(tx, tx.instanceId, parsed, user.userId))) return author;
  const preparedBy = parsed.preparedBy.map((each) =>
    isThroughRecipient(each) ? { author: formatAuthor(held) } : each,
  );
  return formatAuthor({ preparedBy });
}

const isThroughRecipient = ({ recipient }: Preparation): boolean => recipient !== undefined;
