import { formatAuthor, ownerOf, parseAuthor } from "../../call/index.ts";
import type { Reader } from "../../database/index.ts";
import type { PreparedDeps } from "../user/index.ts";
import {
  listLinkKinds,
  listLinksOfAccount,
  listLinksOfFormerSpeakers,
  listLinksToSpeakers,
} from "./identity-link.store.ts";
import { type ExternalAccount, type IdentityLink, type LinkKind, mostLinks } from "./identity-link.ts";
import { isHeldBack } from "./is-held-back.ts";

/** What a sign-in is for. */
interface SignInScope {
  readonly organizationId: string | undefined;
  /** The organization in which it would create a user. */
  readonly home: string;
}

type Account = ExternalAccount & Pick<IdentityLink, "speaker">;

/**
 * Whether a link lets its user in: the account was proven, or the administrator who said whose it is held then at least
 * what the positions of the user carry now. Where the administrator is not known, it was an owner of the organization,
 * or of the instance.
 */
export async function isGoodLink(
  reader: Reader,
  instanceId: string,
  { mayPrepareFor }: PreparedDeps,
  link: Pick<IdentityLink, "author" | "assertedIn" | "userId">,
): Promise<boolean> {
  const author = authorOfLink(link);
  return author === "" || mayPrepareFor(reader, instanceId, parseAuthor(author), link.userId);
}

/** Returns the administrator who said whose an account is, as it is stored; empty where the account was proven. */
export function authorOfLink({ author, assertedIn }: Pick<IdentityLink, "author" | "assertedIn">): string {
  if (author !== null) return author;
  return assertedIn === null ? "" : formatAuthor(ownerOf(assertedIn));
}

/**
 * Lists the links of an account that let a user in: one that counts everywhere, and one of each organization where the
 * account is a user's of theirs.
 */
export async function listGoodLinks(
  reader: Reader,
  instanceId: string,
  deps: PreparedDeps,
  account: Account,
): Promise<readonly IdentityLink[]> {
  const links: IdentityLink[] = [];
  for (const link of await listLinksOfAccount(reader, instanceId, account)) {
    if (await isGoodLink(reader, instanceId, deps, link)) links.push(link);
  }
  return links;
}

/**
 * Whether an account has a link that does not let its user in now, in a sign-in for an organization. Such a link was
 * made when the provider had another speaker, or by an administrator who held less than the user does now. Links that
 * are held back where the sign-in would create a user (`home`) are left out.
 */
export async function hasSuspendedLink(
  reader: Reader,
  instanceId: string,
  deps: PreparedDeps,
  { organizationId, home, ...account }: Account & SignInScope,
): Promise<boolean> {
  const former = await listLinksOfFormerSpeakers(reader, instanceId, account);
  const present = await listLinksOfAccount(reader, instanceId, account);
  const suspended = [...former];
  for (const link of present) if (!(await isGoodLink(reader, instanceId, deps, link))) suspended.push(link);
  for (const link of suspended) {
    const isHere = link.assertedIn === null || link.assertedIn === organizationId;
    if (isHere && !(await isHeldBack(reader, instanceId, link, home))) return true;
  }
  return false;
}

/**
 * Lists what the accounts of a user count by that let them in, at some providers, in a sign-in for their own
 * organization, as far as the links decide it: what the providers are now is not asked.
 */
export async function listGoodLinkKinds(
  reader: Reader,
  instanceId: string,
  deps: PreparedDeps,
  user: { readonly userId: string; readonly organizationId: string; readonly identityProviderIds: readonly string[] },
): Promise<readonly LinkKind[]> {
  if (user.identityProviderIds.length === 0) return [];
  const links: LinkKind[] = [];
  for (const link of await listLinkKinds(reader, instanceId, user, mostLinks)) {
    if (await isGoodLink(reader, instanceId, deps, link)) links.push(link);
  }
  return links;
}

/** Whether a user has a linked account for signing in. */
export async function hasIdentityLink(
  reader: Reader,
  instanceId: string,
  deps: PreparedDeps,
  userId: string,
): Promise<boolean> {
  for (const link of await listLinksToSpeakers(reader, instanceId, userId)) {
    if (await isGoodLink(reader, instanceId, deps, link)) return true;
  }
  return false;
}
