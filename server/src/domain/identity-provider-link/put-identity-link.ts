import { Fault } from "../../base/fault.ts";
import { authorOf, type Call, formatAuthor, requireCaller } from "../../call/index.ts";
import type { Tx } from "../../database/index.ts";
import { findIdentityProvider, type IdentityProvider, offersProvider } from "../identity-provider/index.ts";
import { findInstance } from "../instance/index.ts";
import { deleteOneTimeSecrets } from "../one-time-secret/index.ts";
import {
  assertedBy,
  findUserScope,
  type HumanUser,
  isPassedOn,
  isSelf,
  type PreparedDeps,
  reachesInstance,
  recordUserEvent,
} from "../user/index.ts";
import { countLinksOfUser, deleteIdentityLink, insertIdentityLink, listLinksOfAccount } from "./identity-link.store.ts";
import {
  type IdentityLink,
  isProof,
  linkPayload,
  mostLinks,
  type NamedAccount,
  ownProof,
  providerNotFound,
} from "./identity-link.ts";
import { isGoodLink } from "./is-good-link.ts";
import { isHeldBack } from "./is-held-back.ts";

/**
 * Where an account counts that the provider named, and what becomes of what organizations say of it.
 *
 * - `everywhere`: the user signed in to this user by other means and proved the account, which ends what they say.
 * - `beside`: in the whole instance as well, except that their words stay and decide in their own sign-ins.
 * - `newcomer`: beside them, for new users. Where another organization says whose the account is, the link yields to a
 *   user who signs in otherwise and proves the account.
 * - `home`: in the user's organization alone, unless it is the default one: for users who begin with the account, and
 *   saw no page that named the organization.
 */
export type LinkReach = "everywhere" | "beside" | "newcomer" | "home";

export interface PutIdentityLink extends NamedAccount {
  /**
   * The provider's speaker when it named the account. Absent where the caller names the account: then the link is an
   * assertion of the caller, who has to be an administrator.
   */
  readonly speaker?: string;
  /** Those who could have proven the account in the user's place (`authorOfCredential`); empty where none could. */
  readonly author?: string;
  /** When absent, `newcomer` for a new user and `everywhere` for others. */
  readonly reach?: LinkReach;
  /**
   * Whether the user is being created for this account: the provider's options allow creation and linking separately.
   */
  readonly isForNewUser: boolean;
}

/**
 * Step: links an account at a provider to a user with a locked row. The provider must be active and usable for the
 * user's organization, its options must allow the link, and its speaker must be the one who named the account; the
 * login of the user must offer it, unless an administrator says whose the account is. Rejects an account that is linked
 * already; a suspended link hinders neither its user nor the person who proves the account, and what administrators of
 * another organization say of the account hinders nothing. Only users who sign in to the existing user and prove the
 * account end what others say of it: a new user has the account beside that. Unless they belong to the default
 * organization, their link then yields to such a proof. Returns the sequence of the user.
 */
export async function putIdentityLink(
  tx: Tx,
  deps: PreparedDeps,
  user: Linked,
  { isForNewUser, reach = isForNewUser ? "newcomer" : "everywhere", ...account }: PutIdentityLink,
): Promise<number> {
  const provider = await findIdentityProvider(tx, tx.instanceId, account.identityProviderId);
  if (provider === undefined || !isUsableIn(provider, user.organizationId)) throw providerNotFound();
  if (!isOwnEntry(tx.call, provider)) refuseUnlinkable(provider, isForNewUser);
  const { speaker } = provider;
  if ((account.speaker ?? speaker) !== speaker) {
    throw new Fault("failed_precondition", "identity_intent.provider_unusable", { field: "idpLink.idpId" });
  }
  if (account.speaker !== undefined) await refuseUnoffered(tx, provider, user);
  const formers = await listLinksOfAccount(tx, tx.instanceId, { ...account, speaker });
  const proof = { formers, reach, author: account.author ?? "" };
  const scope = await (account.speaker === undefined ? assert(tx, provider, user) : prove(tx, provider, user, proof));
  const link = { ...account, ...scope, speaker, userId: user.userId };
  const isBeside = account.speaker !== undefined && reach !== "everywhere";
  const home = user.organizationId;
  const room = { formers, link, home, beside: isBeside ? home : undefined };
  if (!(await makeRoom(tx, deps, room))) throw taken();
  await refuseTooMany(tx, user.userId);
  if (!(await insertIdentityLink(tx, link))) throw taken();
  // The account begins with what the user proved, so codes that could begin it in another way are deleted.
  if (isProof(link) && !isForNewUser) await deleteOneTimeSecrets(tx, user.userId, ["invitation", "initialization"]);
  return recordUserEvent(tx, user, {
    type: "user.human.externalidp.added",
    payload: linkPayload(account),
    // A user who comes with an account that they proved made it themselves; a link that an administrator asserts is
    // announced to them.
    isToldToNewcomer: !isProof(link),
  });
}

type Scope = Pick<IdentityLink, "assertedIn" | "author" | "isYielding">;
type Home = Pick<HumanUser, "organizationId">;
type Linked = Pick<HumanUser, "userId" | "organizationId">;

/**
 * Returns where the word of an administrator about an account counts, and who they are. Users have no word about
 * themselves, and neither has a sign-in application: it passes on what anyone enters.
 */
function assert({ call }: Tx, provider: IdentityProvider, user: Linked): Scope {
  const { userId, organizationId } = user;
  const mayAssert = isSelf(call, userId)
    ? requireCaller(call).access.allows("user.write", { organizationId })
    : !isPassedOn(call, user);
  if (!mayAssert) throw new Fault("permission_denied", "identity_link.unproven", { field: "idpLink.userId" });
  return { assertedIn: organizationOfWord(call, provider, user), author: formatAuthor(authorOf(call)), isYielding: 0 };
}

/** Returns where an account counts that its provider named, and who could have proven it. */
async function prove(
  tx: Tx,
  { ownerOrganizationId }: IdentityProvider,
  { organizationId }: Home,
  {
    formers,
    reach,
    author,
  }: Required<Pick<PutIdentityLink, "reach" | "author">> & { readonly formers: readonly IdentityLink[] },
): Promise<Scope> {
  const isSaidElsewhere = formers.some(({ assertedIn }) => assertedIn !== null && assertedIn !== organizationId);
  const isOfDefault = async () => (await findInstance(tx, tx.instanceId))?.defaultOrganizationId === organizationId;
  const isLess = (reach === "home" || (reach === "newcomer" && isSaidElsewhere)) && !(await isOfDefault());
  if (!isLess || ownerOrganizationId !== "") return { assertedIn: null, author: author || null, isYielding: 0 };
  // Anyone's word can be there before the owner of the account is: it must not narrow where the account counts.
  if (reach === "newcomer") return { assertedIn: null, author: author || null, isYielding: 1 };
  return { assertedIn: organizationId, author: author || formatAuthor(ownProof), isYielding: 0 };
}

interface Room {
  /** All links of the account. */
  readonly formers: readonly IdentityLink[];
  readonly link: IdentityLink;
  /** The organization of the user of the new link. */
  readonly home: string;
  /** The organization of the user whose link leaves what others say of the account; absent where it ends that. */
  readonly beside: string | undefined;
}

// Deletes what gives way to a new link of an account; false when another link has it.
async function makeRoom(tx: Tx, deps: PreparedDeps, { formers, link, home, beside }: Room): Promise<boolean> {
  for (const former of formers) {
    if (former.assertedIn === null && (await isHeldBack(tx, tx.instanceId, former, home))) {
      if (link.assertedIn === null) await displace(tx, former, link);
      continue;
    }
    if (await standsBeside(tx, former, link)) continue;
    const scope = await scopeBefore(tx, former, { link, beside });
    const isElsewhere = scope !== link.assertedIn && scope !== null;
    if (link.assertedIn !== null && isElsewhere) continue;
    const isOfOther = isElsewhere && beside !== undefined && former.userId !== link.userId;
    if (isOfOther && scope !== beside) continue;
    if ((!isElsewhere || isOfOther) && !(await isReplaceable(tx, deps, former, link))) return false;
    if (link.assertedIn === scope || isElsewhere) await displace(tx, former, link);
  }
  return true;
}

// Where a former link counts as against a new one. One that yields hinders no more than one that counts in the
// organization of its user alone, except for another new user.
async function scopeBefore(
  tx: Tx,
  former: IdentityLink,
  { link, beside }: Pick<Room, "link" | "beside">,
): Promise<string | null> {
  if (former.isYielding === 0 || (link.assertedIn === null && beside !== undefined)) return former.assertedIn;
  const user = await findUserScope(tx, tx.instanceId, former.userId);
  return user?.organizationId ?? former.assertedIn;
}

// What an organization says of an account counts in its own sign-ins, so it needs no room where a user of another one
// has the account. The user is asked there (`findPerson`).
async function standsBeside(tx: Tx, former: IdentityLink, link: IdentityLink): Promise<boolean> {
  if (former.assertedIn !== null || link.assertedIn === null || isProof(link)) return false;
  const user = await findUserScope(tx, tx.instanceId, former.userId);
  return user !== undefined && user.organizationId !== link.assertedIn;
}

// A suspended link is replaced by another link for the same user, and by a proof from the account's owner, but not by
// an assertion that the account belongs to another user. A proof replaces an assertion about the same user.
async function isReplaceable(tx: Tx, deps: PreparedDeps, former: IdentityLink, link: IdentityLink): Promise<boolean> {
  const isSame = former.userId === link.userId;
  if (isProof(link) && isSame && (former.author !== null || former.assertedIn !== null)) return true;
  return (isProof(link) || isSame) && !(await isGoodLink(tx, tx.instanceId, deps, former));
}

async function displace(tx: Tx, former: IdentityLink, { userId }: IdentityLink): Promise<void> {
  if (!(await deleteIdentityLink(tx, former)) || former.userId === userId) return;
  const displaced = await findUserScope(tx, tx.instanceId, former.userId);
  if (displaced === undefined) return;
  const type = "user.human.externalidp.cascade.removed";
  await recordUserEvent(tx, displaced, { type, payload: linkPayload(former) });
}

/** Returns the organization where the caller's word about an account counts; null where that is the whole instance. */
function organizationOfWord(
  call: Call,
  { ownerOrganizationId }: IdentityProvider,
  { organizationId }: Pick<HumanUser, "organizationId">,
): string | null {
  if (ownerOrganizationId !== "" || reachesInstance(assertedBy(call, organizationId))) return null;
  return organizationId;
}

/** Whether an organization may use a provider: its own, and those of the instance. */
const isUsableIn = ({ ownerOrganizationId }: IdentityProvider, organizationId: string): boolean =>
  ownerOrganizationId === "" || ownerOrganizationId === organizationId;

// A link in the data of an organization that has it at a provider of its own, however that is closed meanwhile.
const isOwnEntry = (call: Call, { ownerOrganizationId: organizationId }: IdentityProvider): boolean =>
  call.caller?.importer !== undefined &&
  organizationId !== "" &&
  call.caller.access.allows("org.idp.write", { organizationId });

// Users sign in with the accounts that they link. Administrators can prepare links before the login offers a provider.
async function refuseUnoffered(tx: Tx, { identityProviderId }: IdentityProvider, user: Linked): Promise<void> {
  const { userId, organizationId } = user;
  const scope = { instanceId: tx.instanceId, userId, organizationId };
  if (!(await offersProvider(tx, scope, identityProviderId))) throw providerNotFound();
}

function refuseUnlinkable({ state, options }: IdentityProvider, isForNewUser: boolean): void {
  const field = "idpLink.idpId";
  if (state !== "active") throw new Fault("failed_precondition", "identity_link.provider_inactive", { field });
  const isAllowed = isForNewUser ? options.isCreationAllowed : options.isLinkingAllowed;
  if (isAllowed) return;
  const cause = isForNewUser ? "identity_link.creation_not_allowed" : "identity_link.linking_not_allowed";
  throw new Fault("failed_precondition", cause, { field });
}

const taken = (): Fault => new Fault("already_exists", "identity_link.taken", { field: "idpLink.userId" });

// What reads the accounts of a user would otherwise take as long as their administrators like.
async function refuseTooMany(tx: Tx, userId: string): Promise<void> {
  if ((await countLinksOfUser(tx, userId, mostLinks)) < mostLinks) return;
  const values = { field: "idpLinks", maximum: mostLinks };
  throw new Fault("resource_exhausted", "field.too_many", { field: "idpLink", values });
}
