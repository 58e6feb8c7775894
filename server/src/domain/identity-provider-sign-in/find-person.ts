import { canonicalName } from "../../base/canonical.ts";
import { type Call, createAccess } from "../../call/index.ts";
import type { Database, Reader } from "../../database/index.ts";
import { type IdentityProvider, listActiveIdentityProviders } from "../identity-provider/index.ts";
import { findIdentityLink } from "../identity-provider-link/index.ts";
import { mayActFor, permissionsOf } from "../membership/index.ts";
import type { SettingsReader } from "../settings/index.ts";
import { type BrowserVisit, organizationOf, type Problem } from "../sign-in/index.ts";
import { findUserScope } from "../user/index.ts";
import { accountOf, type ExternalAttempt, type Person } from "./external-attempt.ts";
import { listUsersByProvenEmail, type MatchingUser } from "./matching-user.store.ts";
import { readNewcomer } from "./newcomer.ts";

interface Deps {
  readonly database: Database;
  readonly settings: SettingsReader;
}

/** Finds the user of an attempt: the one linked to the account, one with the same verified address, or a new user. */
export async function findPerson(
  deps: Deps,
  call: Call,
  visit: BrowserVisit,
  attempt: ExternalAttempt,
): Promise<Person> {
  const { read } = deps.database;
  const link = await findIdentityLink(read, call.instanceId, accountOf(attempt));
  if (link !== undefined) return admit(deps, call, visit, attempt, { userId: link.userId, isLinked: true });
  const match = await findMatch(deps, call, visit, attempt);
  if (match !== undefined) return admit(deps, call, visit, attempt, { userId: match.userId, isLinked: false });
  return placeNewcomer(deps, call, visit, attempt);
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

async function findMatch(
  { database }: Deps,
  call: Call,
  { authRequest }: BrowserVisit,
  { provider, identity }: ExternalAttempt,
): Promise<MatchingUser | undefined> {
  const { autoLinking, isLinkingAllowed } = provider.options;
  const { email, isEmailVerified, username } = identity;
  if (autoLinking === "none" || !isLinkingAllowed || !isEmailVerified || email === undefined) return undefined;
  const place = authRequest?.parameters.organizationId ?? (provider.ownerOrganizationId || undefined);
  const key = { emailKey: canonicalName(email), organizationId: place };
  const [only, ...others] = await listUsersByProvenEmail(database.read, call.instanceId, key);
  if (only === undefined || others.length > 0) return undefined;
  if (!(await mayVouchFor(database.read, call, provider, only))) return undefined;
  return autoLinking === "email" || only.usernameKey === canonicalName(username) ? only : undefined;
}

/**
 * Whether a provider's word may link an account to a user. The administrators of an organization control what its
 * provider says, so it must not link users with more permissions than theirs: otherwise they could become owner of the
 * instance through such a user.
 */
async function mayVouchFor(
  reader: Reader,
  call: Call,
  { ownerOrganizationId: organizationId }: IdentityProvider,
  { userId }: MatchingUser,
): Promise<boolean> {
  if (organizationId === "") return true;
  const permissions = new Set(permissionsOf("ORG_OWNER"));
  const access = createAccess([{ level: "organization", resourceId: organizationId, permissions }]);
  return mayActFor(reader, { ...call, caller: { userId: "", organizationId, access } }, userId);
}

async function placeNewcomer(deps: Deps, call: Call, visit: BrowserVisit, attempt: ExternalAttempt): Promise<Person> {
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
  return registerIn !== undefined && isAutoCreation && isTold
    ? { newIn: registerIn }
    : { choices: { registerIn, mayLink } };
}
