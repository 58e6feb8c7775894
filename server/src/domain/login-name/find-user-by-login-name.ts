import type { Reader } from "../../database/index.ts";
import { findOrganizationDomain, findOwnerOfDomain } from "../organization/index.ts";
import type { FoundUser } from "./found-user.ts";
import { parseLoginName } from "./identifier.ts";
import { findUserByUsername, listUsersOfName, type UserOfName } from "./login-name.store.ts";
import { bestOf, chooseOne, findHolders, mostCandidates } from "./only-one.ts";

type Name = NonNullable<ReturnType<typeof parseLoginName>>;

/**
 * Finds the user that a login name means, or undefined. `username@domain` with a proven domain of an organization means a user
 * of that organization; without such a user, only the one who proved the address by a code. Any other name means
 *
 * 1. the user who proved it as their address by a code; of several the only active one,
 * 2. the user whose address it is on a word that counts in the whole instance,
 * 3. the administrator of the instance who was given it as a name, 4. a user of the default organization,
 * 5. a user of the organization that said first that it is a name there.
 *
 * Inside of an organization, and so in the last two steps and where a request names it, a verified address stands before a
 * username, and that before a login name: no name keeps the owner of an address out.
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
  const users = await list(reader, instanceId, name);
  const proven = users.filter(({ rank }) => rank === "proven_email");
  if (owner !== undefined) return first([...(await stepsInside(reader, instanceId, owner, name, true)), proven]);
  if (proven.length > 0) return first([proven]);
  const holders = findHolders(users);
  if (holders === undefined) return undefined;
  if (holders.by === "reach") return first(toSteps(holders.users));
  // The list may have been filled by others, so it is read again among the users of the organization.
  if (!holders.isContested) return first(toSteps(users));
  return first(await stepsInside(reader, instanceId, holders.organizationId, name, false));
}

/** Steps among the users of one organization; in a domain of its own the username stands before the `@`. */
async function stepsInside(
  reader: Reader,
  instanceId: string,
  organizationId: string,
  name: Name,
  isOwnDomain: boolean,
): Promise<readonly Step[]> {
  const [proven, verified, ...names] = toSteps(await list(reader, instanceId, name, organizationId));
  const qualified = isOwnDomain ? await findUserByUsername(reader, instanceId, organizationId, name.local) : undefined;
  return [proven, verified, qualified === undefined ? [] : [qualified], ...names];
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
  return [of("proven_email"), bestOf(of("verified_email")), bestOf(of("username")), bestOf(of("login_name"))] as const;
}

function first(steps: readonly Step[]): FoundUser | undefined {
  const found = chooseOne(steps.find((users) => users.length > 0) ?? []);
  if (found === undefined) return undefined;
  const { userId, organizationId, organizationState, kind, state, preferredLoginName, displayName } = found;
  return { userId, organizationId, organizationState, kind, state, preferredLoginName, displayName };
}
