import type { Reader } from "../../database/index.ts";
import { findOrganizationDomain, findOwnerOfDomain } from "../organization/index.ts";
import type { FoundUser } from "./found-user.ts";
import { parseLoginName } from "./identifier.ts";
import { findUserByUsername, listUsersOfName, type UserOfName } from "./login-name.store.ts";
import { chooseOne, earliestOf, mostCandidates } from "./only-one.ts";

type Name = NonNullable<ReturnType<typeof parseLoginName>>;

/**
 * Finds the user that a login name means, or undefined. A verified address always beats a mere name, so that no name
 * can keep the owner of an address out. `username@domain` with a proven domain of an organization means a user of that
 * organization; without such a user, only the one who proved the address by a code. Any other name means
 *
 * 1. the user who proved it as their address by a code,
 * 2. the user whose address it is on the word of an administrator or a provider, the first of several,
 * 3. the user whose username it is, 4. whose login name it is.
 *
 * Where a step has several users, only one of them may be active, and later steps are not asked.
 */
export async function findUserByLoginName(
  reader: Reader,
  instanceId: string,
  loginName: string,
  options: { readonly organizationId?: string | undefined } = {},
): Promise<FoundUser | undefined> {
  const name = parseLoginName(loginName);
  if (name === undefined) return undefined;
  const { organizationId } = options;
  if (organizationId !== undefined) {
    const isOwn = await hasDomain(reader, instanceId, organizationId, name.domain);
    return first(await stepsInside(reader, instanceId, organizationId, name, isOwn));
  }
  const owner = name.domain === undefined ? undefined : await findOwnerOfDomain(reader, instanceId, name.domain);
  const anywhere = toSteps(await list(reader, instanceId, name));
  if (owner === undefined) {
    return first([anywhere.proven, anywhere.verified, anywhere.username, anywhere.loginName]);
  }
  return first([...(await stepsInside(reader, instanceId, owner, name, true)), anywhere.proven]);
}

/** Steps among the users of one organization; in a domain of its own the username stands before the `@`. */
async function stepsInside(
  reader: Reader,
  instanceId: string,
  organizationId: string,
  name: Name,
  isOwnDomain: boolean,
): Promise<readonly Step[]> {
  const { proven, verified, username, loginName } = toSteps(await list(reader, instanceId, name, organizationId));
  const qualified = isOwnDomain ? await findUserByUsername(reader, instanceId, organizationId, name.local) : undefined;
  return [proven, verified, qualified === undefined ? [] : [qualified], username, loginName];
}

// Inside of an organization a domain counts that it merely claimed, where the settings demand no proof.
async function hasDomain(
  reader: Reader,
  instanceId: string,
  organizationId: string,
  domain: string | undefined,
): Promise<boolean> {
  if (domain === undefined) return false;
  return (await findOrganizationDomain(reader, instanceId, organizationId, domain))?.isVerified === true;
}

const list = (reader: Reader, instanceId: string, { key }: Name, organizationId?: string): Promise<UserOfName[]> =>
  listUsersOfName(reader, instanceId, key, { organizationId, limit: mostCandidates + 1 });

type Step = readonly FoundUser[];

function toSteps(users: readonly UserOfName[]) {
  const of = (rank: UserOfName["rank"]): readonly UserOfName[] => users.filter((user) => user.rank === rank);
  return {
    proven: of("proven_email"),
    verified: earliestOf(of("verified_email")),
    username: of("username"),
    loginName: of("login_name"),
  };
}

function first(steps: readonly Step[]): FoundUser | undefined {
  const found = chooseOne(steps.find((users) => users.length > 0) ?? []);
  if (found === undefined) return undefined;
  const { userId, organizationId, organizationState, kind, state, preferredLoginName, displayName } = found;
  return { userId, organizationId, organizationState, kind, state, preferredLoginName, displayName };
}
