import { hashSecret } from "../../base/secret.ts";
import {
  authorOfNothing,
  formatAuthor,
  formatAuthorOfSession,
  type Preparation,
  preparationsBy,
} from "../../call/index.ts";
import type { Reader } from "../../database/index.ts";
import { findIdentityProvider } from "../identity-provider/index.ts";
import { type ContactOrigin, findContactOrigins } from "./contact-origin.store.ts";
import { authorOfWord, type ContactProofDeps, isGoodOrigin, type Owner } from "./is-good-proof.ts";

// A credential created through a message is judged long after the address was replaced, so only a mark of the address
// is kept.
const markOfRecipient = ({ userId }: Pick<Owner, "userId">, recipient: string): string =>
  hashSecret(`${userId} ${recipient}`).slice(0, 22);

/**
 * Returns those who could have read what is sent to an address or a number of a user: none where the user named it,
 * otherwise the administrator who did. A code that was entered does not tell whose mailbox it is, so it counts for what
 * was opened there only as long as the user has the address: its author could replace their own mailbox afterwards.
 */
export async function preparationsOfRecipient(
  reader: Reader,
  instanceId: string,
  { user, recipient }: { readonly user: Owner; readonly recipient: string },
): Promise<readonly Preparation[]> {
  const origins = await findContactOrigins(reader, instanceId, user.userId);
  const origin = [origins.email, origins.sms].find((each) => each?.recipient === recipient);
  return preparationsOfOrigin(reader, instanceId, { user, recipient, origin });
}

/**
 * Returns the author of what is opened by the email address of a user, as it is stored; empty where it is the user's
 * own.
 */
export async function authorOfAddress(reader: Reader, instanceId: string, user: Owner): Promise<string> {
  const { email: origin } = await findContactOrigins(reader, instanceId, user.userId);
  const { recipient = "" } = origin ?? {};
  return formatAuthorOfSession(await preparationsOfOrigin(reader, instanceId, { user, recipient, origin }));
}

/** Returns preparations as those of a message to a recipient: good as well while the recipient is the user's. */
export function throughRecipient(
  preparations: readonly Preparation[],
  { user, recipient }: { readonly user: Owner; readonly recipient: string },
): readonly Preparation[] {
  const mark = markOfRecipient(user, recipient);
  return preparations.map((each) => ({ ...each, recipient: mark }));
}

/**
 * Whether a user still has the address or the number with a mark, and it is theirs as far as what they administer now
 * requires (`isGoodOrigin`).
 */
export async function hasGoodRecipient(
  reader: Reader,
  instanceId: string,
  deps: ContactProofDeps,
  { user, mark }: { readonly user: Owner; readonly mark: string },
): Promise<boolean> {
  const { email, sms } = await findContactOrigins(reader, instanceId, user.userId);
  const isMarked = (origin: ContactOrigin | undefined): boolean =>
    origin !== undefined && markOfRecipient(user, origin.recipient) === mark;
  const origin = [email, sms].find(isMarked);
  return origin !== undefined && isGoodOrigin(reader, instanceId, deps, { user, origin });
}

async function preparationsOfOrigin(
  reader: Reader,
  instanceId: string,
  {
    user,
    recipient,
    origin,
  }: { readonly user: Owner; readonly recipient: string; readonly origin: ContactOrigin | undefined },
): Promise<readonly Preparation[]> {
  const authors =
    origin === undefined
      ? preparationsBy(formatAuthor(authorOfNothing))
      : origin.namedBy === null
        ? await preparationsOfWord(reader, instanceId, user, origin)
        : preparationsBy(origin.namedBy);
  return throughRecipient(authors, { user, recipient });
}

// Of an address from before authors were kept, it is only known who verified it.
async function preparationsOfWord(
  reader: Reader,
  instanceId: string,
  user: Owner,
  { proof }: ContactOrigin,
): Promise<readonly Preparation[]> {
  if (proof?.by !== "provider") return [{ author: formatAuthor(authorOfWord(user, proof)) }];
  const { identityProviderId } = proof;
  const provider = await findIdentityProvider(reader, instanceId, identityProviderId);
  return [{ identityProviderId, speaker: proof.speaker ?? provider?.speaker ?? "" }];
}
