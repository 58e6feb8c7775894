import { type Author, authorOf, formatAuthor, ownerOf, parseAuthor } from "../../call/index.ts";
import type { Reader, Tx } from "../../database/index.ts";
import { findOneTimeSecret, type OneTimeSecret } from "../one-time-secret/index.ts";
import { authorOfCredential, isSelf, type PreparedDeps } from "../user/index.ts";
import type { CodeKind } from "./code-kind.ts";

/** Who can read a code besides its user. */
interface CodeReaders {
  /** Whether others than the user read it: it is returned, or its link leads to a page of an organization. */
  readonly isReadByOthers: boolean;
  /** The author of a former code that is sent again with its link. */
  readonly author?: string | undefined;
}

/**
 * Returns what to store with a code about the administrator who can read it or who chose where it leads; empty for a code
 * that only its user reads. A user who is given it has it as far as their session goes.
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
 * Step: returns the link of a former code, for sending it again: with its author, who chose where it leads. Without a link
 * where its author held less than the user does by now; then the usual one is sent, and the code works.
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
 * Whether the code that a user has of a kind may be used: only the user reads it, or the administrator who can read it as
 * well held then at least what the positions of the user carry now. True where there is none.
 */
export async function isGoodCode(
  reader: Reader,
  instanceId: string,
  { mayPrepareFor }: PreparedDeps,
  {
    user: { userId, organizationId },
    kind,
  }: {
    readonly user: { readonly userId: string; readonly organizationId: string };
    readonly kind: CodeKind | "passkey_registration";
  },
): Promise<boolean> {
  const found = await findOneTimeSecret(reader, instanceId, { kind, subjectId: userId });
  const author = found && readAuthor(found.bound, organizationId);
  return author === undefined || mayPrepareFor(reader, instanceId, author, userId);
}

/** Returns the author of a code that was used; empty where its user alone read it. */
export function authorOfRedeemed(bound: Readonly<Record<string, string>>, organizationId: string): string {
  const author = readAuthor(bound, organizationId);
  return author === undefined ? "" : formatAuthor(author);
}

// Codes from before authors were kept: an owner of the organization had those that were not sent, or not to the user alone.
function readAuthor(
  { author, by, proof }: Readonly<Record<string, string>>,
  organizationId: string,
): Author | undefined {
  if (author !== undefined) return author === "" ? undefined : parseAuthor(author);
  return by === "message" && proof === undefined ? undefined : ownerOf(organizationId);
}
