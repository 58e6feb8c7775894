import { canonicalName } from "../../base/canonical.ts";
import type { Call } from "../../call/index.ts";
import type { Database, Reader } from "../../database/index.ts";
import { type IdentityProvider, listActiveIdentityProviders } from "../identity-provider/index.ts";
import { findIdentityLink, hasSuspendedLink, type IdentityLink } from "../identity-provider-link/index.ts";
import { mayLinkByItself, mayVouchFor } from "../membership/index.ts";
import type { SettingsReader } from "../settings/index.ts";
import { type BrowserVisit, organizationOf, type Problem } from "../sign-in/index.ts";
import { findUserScope } from "../user/index.ts";
import { accountOf, type ExternalAttempt, type Person } from "./external-attempt.ts";
import { listUsersByProvenEmail, type MatchingUser } from "./matching-user.store.ts";
import { readNewcomer } from "./newcomer.ts";
import { reachesAddress } from "./reaches-address.ts";

interface Deps {
  readonly database: Database;
  readonly settings: SettingsReader;
}

/**
 * Finds the user of an attempt: the one linked to the account, one with the same verified address, or a new user. An
 * account whose link is suspended is neither linked nor registered without asking: its user has to sign in by other means
 * first.
 */
export async function findPerson(
  deps: Deps,
  call: Call,
  visit: BrowserVisit,
  attempt: ExternalAttempt,
): Promise<Person> {
  const { read } = deps.database;
  const link = await findIdentityLink(read, call.instanceId, accountOf(attempt));
  if (link !== undefined && (await isMeant(read, { ...visit, instanceId: call.instanceId }, attempt, link)))
    return admit(deps, call, visit, attempt, { userId: link.userId, isLinked: true });
  const isSuspended = await hasSuspendedLink(read, call.instanceId, accountOf(attempt));
  const match = isSuspended ? undefined : await findMatch(read, { ...visit, instanceId: call.instanceId }, attempt);
  if (match !== undefined) return admit(deps, call, visit, attempt, { userId: match.userId, isLinked: false });
  return placeNewcomer(deps, call, visit, { ...attempt, isSuspended });
}

/**
 * Whether a link counts in this sign-in. At a provider of the instance the administrators of an organization can say of
 * any account that it is one of their users': that counts where a user signs in for that organization, and where the
 * provider vouches for the user's address in a domain that the organization has proven. Elsewhere they could have other
 * people sign in as users of theirs.
 */
async function isMeant(
  reader: Reader,
  visit: Pick<BrowserVisit, "authRequest" | "organizationId"> & { readonly instanceId: string },
  { identity: { email, isEmailVerified } }: ExternalAttempt,
  { userId, assertedIn }: Pick<IdentityLink, "userId" | "assertedIn">,
): Promise<boolean> {
  if (assertedIn === null || assertedIn === organizationOf(visit)) return true;
  if (email === undefined || !isEmailVerified) return false;
  const key = { emailKey: canonicalName(email), organizationId: assertedIn };
  const found = await listUsersByProvenEmail(reader, visit.instanceId, key);
  return found.some((user) => user.userId === userId && user.isInProvenDomain === 1);
}

const problem = (id: string): { readonly problem: Problem } => ({ problem: { id } });

/** Returns the user if this provider may sign them in for this request. */
async function admit(
  deps: Deps,
  call: Call,
  { authRequest }: BrowserVisit,
  { provider }: ExternalAttempt,
  { userId, isLinked }: { readonly userId: string; readonly isLinked: boolean },
): Promise<Person> {
  const user = await findUserScope(deps.database.read, call.instanceId, userId);
  if (user?.kind !== "human" || user.state !== "active" || user.organizationState !== "active") {
    return problem("identity_sign_in.user_inactive");
  }
  const { organizationId } = user;
  if (!(await isOffered(deps, call, provider, organizationId))) return problem("identity_intent.provider_unusable");
  if (!(await mayVouchFor(deps.database.read, call.instanceId, provider, user))) {
    return problem("identity_link.provider_not_trusted");
  }
  const { hintUserId, organizationId: wanted } = authRequest?.parameters ?? {};
  const isExpected = hintUserId === undefined || hintUserId === userId;
  if (!isExpected || (wanted !== undefined && wanted !== organizationId)) {
    return problem("sign_in.other_account_expected");
  }
  return { userId, organizationId, isLinked };
}

/** Whether the login settings of an organization offer the provider now. */
export async function isOffered(
  { database }: Pick<Deps, "database">,
  { instanceId }: Call,
  { identityProviderId }: IdentityProvider,
  organizationId: string,
): Promise<boolean> {
  const offered = await listActiveIdentityProviders(database.read, { instanceId, organizationId });
  return offered.some((each) => each.identityProviderId === identityProviderId);
}

/**
 * Step: finds the only user to whom the account of an attempt is to be linked without asking: both sides have proven the
 * address, and the word of each reaches the other.
 */
export async function findMatch(
  reader: Reader,
  { instanceId, authRequest }: Pick<BrowserVisit, "authRequest"> & { readonly instanceId: string },
  { provider, identity }: ExternalAttempt,
): Promise<MatchingUser | undefined> {
  const { autoLinking, isLinkingAllowed } = provider.options;
  const { email, isEmailVerified, username } = identity;
  if (autoLinking === "none" || !isLinkingAllowed || !isEmailVerified || email === undefined) return undefined;
  const place = authRequest?.parameters.organizationId ?? (provider.ownerOrganizationId || undefined);
  const key = { emailKey: canonicalName(email), organizationId: place };
  const found = await listUsersByProvenEmail(reader, instanceId, key);
  // A user who was made with an address that is not theirs must not stand in the way of its owner either.
  const [only, ...others] = found.filter((user) => reachesAddress(provider, user));
  if (only === undefined || others.length > 0) return undefined;
  if (!(await mayLinkByItself(reader, instanceId, provider, only))) return undefined;
  return autoLinking === "email" || only.usernameKey === canonicalName(username) ? only : undefined;
}

async function placeNewcomer(
  deps: Deps,
  call: Call,
  visit: BrowserVisit,
  attempt: ExternalAttempt & { readonly isSuspended: boolean },
): Promise<Person> {
  const { provider, defaultOrganizationId } = attempt;
  const { isCreationAllowed, isAutoCreation, isLinkingAllowed: mayLink } = provider.options;
  const { hintUserId, subjects } = visit.authRequest?.parameters ?? {};
  const isExpected = hintUserId === undefined && subjects === undefined;
  const place = organizationOf(visit) ?? (provider.ownerOrganizationId || defaultOrganizationId);
  const mayRegister = isCreationAllowed && isExpected;
  const registerIn = mayRegister && (await isOffered(deps, call, provider, place)) ? place : undefined;
  if (registerIn === undefined && !mayLink) {
    return problem(mayRegister ? "identity_intent.provider_unusable" : "identity_sign_in.account_unknown");
  }
  const isTold = readNewcomer(attempt.identity) !== undefined;
  return registerIn !== undefined && isAutoCreation && isTold && !attempt.isSuspended
    ? { newIn: registerIn }
    : { choices: { registerIn, mayLink } };
}
