import { addressKey } from "../../base/names/address-key.ts";
import type { Call } from "../../call/index.ts";
import type { Database, Reader } from "../../database/index.ts";
import { mayLinkByItself, mayPrepareFor, mayVouchFor } from "../administrator-access/index.ts";
import { isGoodProof } from "../contact/index.ts";
import { type IdentityProvider, offersProvider } from "../identity-provider/index.ts";
import { isAnswerOver } from "../identity-provider-intent/index.ts";
import {
  findCountingLink,
  hasSuspendedLink,
  type IdentityLink,
  isHeldByOther,
  listLinksOfAccount,
} from "../identity-provider-link/index.ts";
import { emailKeyOf, findUserByLoginName } from "../login-name/index.ts";
import { findOwnerOfDomain } from "../organization/index.ts";
import type { SettingsReader } from "../settings/index.ts";
import {
  type BrowserVisit,
  isOrganizationUnproven,
  organizationOfLinks,
  organizationOfNewcomers,
} from "../sign-in/index.ts";
import { findUserScope, parseProof, type UserScope } from "../user/index.ts";
import { accountOf, type ExternalAttempt, type Person } from "./external-attempt.ts";
import { isVerifiedElsewhere, listUsersByProvenEmail, type MatchingUser } from "./matching-user.store.ts";
import { readNewcomer } from "./newcomer.ts";

interface Deps {
  readonly database: Database;
  readonly settings: SettingsReader;
}

/**
 * Finds the user of an attempt: the one linked to the account, one with the same verified address, or a new user. An
 * account whose link is suspended is neither linked nor registered without asking: its user has to sign in by other
 * means first. Where only the scope of the request names the organization, or where the provider belongs to one that
 * nothing but a link brings into the visit, the user is asked as well. So is one whose account or address another
 * organization knows: a provider that answers in a browser is no decision of its user, and anyone can write the link
 * that leads there.
 */
export async function findPerson(
  deps: Deps,
  call: Call,
  visit: BrowserVisit,
  attempt: ExternalAttempt,
): Promise<Person> {
  const { read } = deps.database;
  const { email, isEmailVerified } = attempt.identity;
  // Not simply the one that the address names: a stranger could have written that, and the link as well.
  const organizationId = await organizationOfLinks(visit);
  const registration = await organizationOfRegistration(deps, call, visit, attempt);
  const home = organizationId ?? registration;
  const linkContext = { email, isEmailVerified, organizationId, home };
  const link = await findCountingLink(read, call.instanceId, { mayPrepareFor }, accountOf(attempt), linkContext);
  if (link !== undefined) {
    const isAsked =
      (await isOfStranger(visit, attempt)) ||
      (link.assertedIn !== null && (await restsOnScope(deps, call, visit, attempt, link))) ||
      (await isHeldByOther(read, call.instanceId, link));
    return admit(deps, call, visit, attempt, { userId: link.userId, isLinked: true, isAsked });
  }
  const isSuspended = await hasSuspendedLink(
    read,
    call.instanceId,
    { mayPrepareFor },
    { ...accountOf(attempt), organizationId, home },
  );
  const links = await listLinksOfAccount(read, call.instanceId, accountOf(attempt));
  const match = isSuspended ? undefined : await findMatch(read, { ...visit, instanceId: call.instanceId }, attempt);
  // The organization of the match says that the account is another user's.
  const isContested = links.some(
    ({ assertedIn, userId }) => assertedIn === match?.organizationId && userId !== match?.userId,
  );
  if (match !== undefined && !isContested) {
    // With a scope, only users of its organization were compared.
    const isAsked = (await isOfStranger(visit, attempt)) || (await isOrganizationUnproven(visit));
    return admit(deps, call, visit, attempt, { userId: match.userId, isLinked: false, isAsked });
  }
  const newcomer = { ...attempt, isSuspended, isLinked: links.length > 0 };
  return decideNewcomer(deps, call, visit, newcomer, registration);
}

/**
 * Whether the provider belongs to an organization that may have nothing to do with the visit: any link can lead to its
 * providers, which say of an account whatever it likes.
 */
async function isOfStranger(
  { admitsNewcomers }: BrowserVisit,
  { provider: { ownerOrganizationId } }: ExternalAttempt,
): Promise<boolean> {
  return ownerOrganizationId !== "" && (await admitsNewcomers?.(ownerOrganizationId)) !== true;
}

/** Whether a link counts only because the scope of a request names its organization, which any link can do. */
async function restsOnScope(
  { database }: Deps,
  call: Call,
  visit: BrowserVisit,
  attempt: ExternalAttempt,
  { userId }: Pick<IdentityLink, "userId">,
): Promise<boolean> {
  if (!(await isOrganizationUnproven(visit))) return false;
  const { email, isEmailVerified } = attempt.identity;
  const anywhere = { email, isEmailVerified };
  const account = accountOf(attempt);
  const counting = await findCountingLink(database.read, call.instanceId, { mayPrepareFor }, account, anywhere);
  return counting?.userId !== userId;
}

const problem = (id: string, user?: Pick<UserScope, "userId" | "organizationId">): Person => ({
  problem: { id },
  ...(user !== undefined && { user }),
});

/** Returns the user if this provider may sign them in for this request. */
async function admit(
  deps: Deps,
  call: Call,
  { authRequest }: BrowserVisit,
  { provider, answeredAt }: ExternalAttempt,
  { userId, isLinked, isAsked }: Pick<Extract<Person, { userId: string }>, "userId" | "isLinked" | "isAsked">,
): Promise<Person> {
  const user = await findUserScope(deps.database.read, call.instanceId, userId);
  if (user?.kind !== "human" || user.state !== "active" || user.organizationState !== "active") {
    return problem("identity_sign_in.user_inactive", user);
  }
  const { organizationId, signInEpoch } = user;
  if (await isAnswerOver(deps.database.read, call.instanceId, { userId, answeredAt })) {
    return problem("identity_intent.invalid", user);
  }
  if (!(await isOffered(deps, call, provider, user))) return problem("identity_intent.provider_unusable", user);
  if (!(await mayVouchFor(deps.database.read, call.instanceId, provider, user))) {
    return problem("identity_link.provider_not_trusted", user);
  }
  const { hintUserId, organizationId: wanted } = authRequest?.parameters ?? {};
  const isExpected = hintUserId === undefined || hintUserId === userId;
  if (!isExpected || (wanted !== undefined && wanted !== organizationId)) {
    return problem("sign_in.other_account_expected", user);
  }
  return { userId, organizationId, signInEpoch, isLinked, isAsked };
}

/** Whether the login settings of an organization offer the provider now, to one of its users when one is named. */
export function isOffered(
  { database }: Pick<Deps, "database">,
  { instanceId }: Call,
  { identityProviderId }: IdentityProvider,
  { organizationId, userId }: { readonly organizationId: string; readonly userId?: string | undefined },
): Promise<boolean> {
  return offersProvider(database.read, { instanceId, organizationId, userId }, identityProviderId);
}

/**
 * Step: finds the user to whom the account of an attempt is to be linked without asking: both sides have proven the
 * address, and what each asserts counts for the other. Of several it is the first who proved it by a code, as for
 * names. An administrator with fewer rights than the user now has could have named a mailbox of their own, so their
 * assertion is not enough.
 */
export async function findMatch(
  reader: Reader,
  { instanceId, authRequest }: Pick<BrowserVisit, "authRequest"> & { readonly instanceId: string },
  { provider, identity }: ExternalAttempt,
): Promise<MatchingUser | undefined> {
  const { autoLinking, isLinkingAllowed } = provider.options;
  const { email, isEmailVerified, username } = identity;
  if (autoLinking === "none" || !isLinkingAllowed || !isEmailVerified || email === undefined) return undefined;
  const organizationId = authRequest?.parameters.organizationId ?? (provider.ownerOrganizationId || undefined);
  const emailKey = emailKeyOf(email);
  if (emailKey === undefined) return undefined;
  const found = await listUsersByProvenEmail(reader, instanceId, { emailKey, organizationId, provider });
  // A user who was made with an address that is not theirs must not stand in the way of its owner either.
  const candidates: MatchingUser[] = [];
  for (const user of found) {
    const contact = { user, channel: "email", proof: parseProof(user.emailProof) } as const;
    if (await isGoodProof(reader, instanceId, { mayPrepareFor, mayVouchFor }, contact)) candidates.push(user);
  }
  const [only, next] = candidates;
  if (only === undefined || (next !== undefined && !isProvenBefore(only, next))) return undefined;
  if (!(await mayLinkByItself(reader, instanceId, provider, only))) return undefined;
  return autoLinking === "email" || only.usernameKey === addressKey(username) ? only : undefined;
}

const isProvenBefore = (a: MatchingUser, b: MatchingUser): boolean =>
  a.emailProvenAt !== null && (b.emailProvenAt === null || a.emailProvenAt < b.emailProvenAt);

// The address of the page can name any organization; the one whose domain the proven address of the account lies in has
// its users.
async function findOrganizationByAddress(
  { database }: Pick<Deps, "database">,
  { instanceId }: Call,
  { organizationId }: BrowserVisit,
  { identity: { email, isEmailVerified } }: ExternalAttempt,
): Promise<string | undefined> {
  if (organizationId === undefined || email === undefined || !isEmailVerified) return undefined;
  const key = emailKeyOf(email) ?? "";
  const owner = await findOwnerOfDomain(database.read, instanceId, key.slice(key.lastIndexOf("@") + 1));
  return owner === organizationId ? owner : undefined;
}

/**
 * Whether anything says that the account, or the address that the provider vouches for, is a user's of another
 * organization, or whether the address is the name of an active one, verified or not: the new user would take it. Told
 * to the owner of both. The word of an organization's own provider counts there alone.
 */
async function isKnownElsewhere(
  { database }: Pick<Deps, "database">,
  { instanceId }: Call,
  { provider, identity: { email, isEmailVerified }, isLinked }: ExternalAttempt & { readonly isLinked: boolean },
  organizationId: string,
): Promise<boolean> {
  if (provider.ownerOrganizationId !== "") return false;
  if (isLinked) return true;
  const emailKey = isEmailVerified && email !== undefined ? emailKeyOf(email) : undefined;
  if (emailKey === undefined || email === undefined) return false;
  if (await isVerifiedElsewhere(database.read, instanceId, { emailKey, organizationId })) return true;
  const named = await findUserByLoginName(database.read, instanceId, email);
  const isActive = named?.state === "active" && named.organizationState === "active";
  return isActive && named.organizationId !== organizationId;
}

/** Returns the organization in which the visit would create a user. */
const organizationOfRegistration = async (
  deps: Deps,
  call: Call,
  visit: BrowserVisit,
  attempt: ExternalAttempt,
): Promise<string> =>
  (await organizationOfNewcomers(visit)) ??
  (await findOrganizationByAddress(deps, call, visit, attempt)) ??
  (attempt.provider.ownerOrganizationId || attempt.defaultOrganizationId);

async function decideNewcomer(
  deps: Deps,
  call: Call,
  visit: BrowserVisit,
  attempt: ExternalAttempt & { readonly isSuspended: boolean; readonly isLinked: boolean },
  organizationId: string,
): Promise<Person> {
  const { provider } = attempt;
  const { isCreationAllowed, isAutoCreation, isLinkingAllowed: mayLink } = provider.options;
  const { hintUserId, subjects } = visit.authRequest?.parameters ?? {};
  const isExpected = hintUserId === undefined && subjects === undefined;
  const mayRegister = isCreationAllowed && isExpected;
  const registerIn =
    mayRegister && (await isOffered(deps, call, provider, { organizationId })) ? organizationId : undefined;
  if (registerIn === undefined && !mayLink) {
    return problem(mayRegister ? "identity_intent.provider_unusable" : "identity_sign_in.account_unknown");
  }
  const isAsked =
    registerIn !== undefined &&
    ((await isOrganizationUnproven(visit)) ||
      (await isOfStranger(visit, attempt)) ||
      (await isKnownElsewhere(deps, call, attempt, registerIn)));
  const isTold = readNewcomer(attempt) !== undefined;
  return registerIn !== undefined && isAutoCreation && isTold && !attempt.isSuspended && !isAsked
    ? { newIn: registerIn }
    : { choices: { registerIn, mayLink, isAsked } };
}
