import {
  type Author,
  authorOf,
  authorOfNothing,
  formatAuthor,
  formatAuthorOfSession,
  joinPreparations,
  ownerOf,
  parseAuthor,
  preparationsBy,
} from "../../call/index.ts";
import type { Reader, Tx } from "../../database/index.ts";
import { findOneTimeSecret, type OneTimeSecret } from "../one-time-secret/index.ts";
import { authorOfCredential, isSelf, type PreparedDeps } from "../user/index.ts";
import type { CodeKind } from "./code-kind.ts";
import { type ContactProofDeps, isGoodRecipient } from "./is-good-proof.ts";
import { preparationsOfRecipient, throughRecipient } from "./recipient-author.ts";

/** Who can read a code besides its user. */
interface CodeReaders {
  /** Whether others than the user read it: it is returned, or its link leads to a page of an organization. */
  readonly isReadByOthers: boolean;
  /** The author of a former code that is sent again with its link. */
  readonly author?: string | undefined;
}

/**
 * Returns what to store with a code about the administrator who can read it or who chose where it leads; empty for a
 * code that only its user reads. A code returned to the user is as trustworthy as their session.
 */
export function authorOfCode(
  { call }: Pick<Tx, "call">,
  user: { readonly userId: string; readonly organizationId: string },
  { isReadByOthers, author }: CodeReaders,
): string {
  if (!isReadByOthers) return "";
  return author ?? (isSelf(call, user.userId) ? authorOfCredential(call, user) : formatAuthor(authorOf(call)));
}

/**
 * Step: returns the link of a former code, for sending it again: with its author, who chose where it leads. Without a
 * link where its author held less than the user does now; then the usual one is sent, and the code works.
 */
export async function linkOfFormerCode(
  tx: Tx,
  { mayPrepareFor }: PreparedDeps,
  { userId, organizationId }: { readonly userId: string; readonly organizationId: string },
  { bound }: Pick<OneTimeSecret, "bound">,
): Promise<{ readonly urlTemplate?: string; readonly author?: string }> {
  const { urlTemplate } = bound;
  if (urlTemplate === undefined) return {};
  const author = readAuthor(bound, organizationId);
  if (author === undefined) return { urlTemplate };
  return (await mayPrepareFor(tx, tx.instanceId, author, userId)) ? { urlTemplate, author: formatAuthor(author) } : {};
}

/**
 * Returns what to store with a message about the caller who sends a user a code: what they administer, empty for users
 * who send it to themselves, as far as their session goes. Undefined for pages: a stranger asks there.
 */
export function senderOfCode(
  { call }: Pick<Tx, "call">,
  user: { readonly userId: string; readonly organizationId: string },
): string | undefined {
  if (call.caller === undefined) return undefined;
  return isSelf(call, user.userId) ? authorOfCredential(call, user) : formatAuthor(authorOf(call));
}

/**
 * Returns the sender of a former code, for sending it again when a page asks for it: as long as it works, its reader
 * gains nothing by another.
 */
export const senderOfFormerCode = (
  { now }: Pick<Tx, "now">,
  { bound: { sentBy }, consumedAt, expiresAt }: OneTimeSecret,
): { readonly sentBy?: string } => (sentBy === undefined || consumedAt !== null || expiresAt <= now ? {} : { sentBy });

/**
 * Whether a message with a code may go to a recipient: it is the user's own, as far as what the user administers
 * requires (`isGoodRecipient`), or its sender holds at least as much and answers for where it goes.
 */
export async function isGoodMessage(
  reader: Reader,
  instanceId: string,
  deps: ContactProofDeps,
  { user, recipient, sentBy }: SentTo,
): Promise<boolean> {
  if (sentBy === "") return true;
  if (await isGoodRecipient(reader, instanceId, deps, { user, recipient })) return true;
  return sentBy !== undefined && deps.mayPrepareFor(reader, instanceId, parseAuthor(sentBy), user.userId);
}

interface SentTo {
  readonly user: { readonly userId: string; readonly organizationId: string };
  readonly recipient: string;
  /** As `senderOfCode` returns it. */
  readonly sentBy: string | undefined;
}

/**
 * Whether the code that a user has of a kind may be used. The administrator who can read it as well must have held then
 * at least what the positions of the user carry now. So must the author of the address that its message went to, or its
 * sender. True if there is no code.
 */
export async function isGoodCode(
  reader: Reader,
  instanceId: string,
  deps: ContactProofDeps,
  {
    user,
    kind,
  }: {
    readonly user: { readonly userId: string; readonly organizationId: string };
    readonly kind: CodeKind | "passkey_registration";
  },
): Promise<boolean> {
  const { userId, organizationId } = user;
  const bound = (await findOneTimeSecret(reader, instanceId, { kind, subjectId: userId }))?.bound;
  if (bound === undefined) return true;
  const author = readAuthor(bound, organizationId);
  if (author !== undefined && !(await deps.mayPrepareFor(reader, instanceId, author, userId))) return false;
  if (bound["by"] !== "message") return true;
  const { recipient = "", sentBy } = bound;
  return isGoodMessage(reader, instanceId, deps, { user, recipient, sentBy });
}

/**
 * Step: returns the author of what is made with a code that was used, as it is stored: the administrator who had the
 * code, and those who could have read its message. Empty where its user alone read it. What users send themselves goes
 * where they see it go. Where the sender answered for the recipient, it is the sender.
 */
export async function authorOfRedeemed(
  tx: Tx,
  deps: ContactProofDeps,
  user: { readonly userId: string; readonly organizationId: string },
  bound: Readonly<Record<string, string>>,
): Promise<string> {
  const author = readAuthor(bound, user.organizationId);
  const known = author === undefined ? "" : formatAuthor(author);
  const { by, recipient = "", sentBy } = bound;
  if (by !== "message" || sentBy === "") return known;
  const to = { user, recipient };
  const readers = (await isGoodRecipient(tx, tx.instanceId, deps, to))
    ? await preparationsOfRecipient(tx, tx.instanceId, to)
    : throughRecipient(preparationsBy(sentBy ?? formatAuthor(authorOfNothing)), to);
  return readers.length === 0 ? known : formatAuthorOfSession(joinPreparations(preparationsBy(known), readers));
}

/**
 * Whether what a code opens proves no more than access to a mailbox: a message brought it, which another caller caused.
 * Users who send themselves a message have just proven all their factors, and could as well remove one. Also where the
 * caller proved no more than that when the code was made (`restsOnMessage`).
 */
export const isOpenedByMessage = ({ by, isOwn, isFromMessage }: Readonly<Record<string, string>>): boolean =>
  isFromMessage !== undefined || (by === "message" && isOwn === undefined);

// Codes from before authors were kept: an owner of the organization had those that were not sent, or not to the user
// alone.
function readAuthor(
  { author, by, proof }: Readonly<Record<string, string>>,
  organizationId: string,
): Author | undefined {
  if (author !== undefined) return author === "" ? undefined : parseAuthor(author);
  return by === "message" && proof === undefined ? undefined : ownerOf(organizationId);
}
