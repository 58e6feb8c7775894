import { addressKey } from "../../base/names/address-key.ts";
import type { Reader } from "../../database/index.ts";
import { findOrganization, findOwnerOfDomain } from "../organization/index.ts";
import type { FoundUser } from "./found-user.ts";
import { parseLoginName } from "./identifier.ts";
import {
  type DomainOwner,
  findUsersInDomain,
  listUsersOfName,
  type UserOfName,
  type UsersInDomain,
} from "./login-name.store.ts";
import { activeFirst, bestOf, chooseOne, findHolders, mostCandidates } from "./only-one.ts";

/** A user whom a login name means. */
export interface NamedUser extends FoundUser {
  /** Whether the name is the user's address and neither their username nor their login name. */
  readonly isOnlyEmail: boolean;
}

/** What a login name means. */
export interface NameMeaning {
  readonly user: NamedUser | undefined;
  /** The organization that owns the domain of the name; of a name within a given organization, that one at most. */
  readonly owner: DomainOwner | undefined;
}

/** Finds the user that a login name means, or undefined: see `findNameMeaning`. */
export async function findUserByLoginName(
  reader: Reader,
  instanceId: string,
  loginName: string,
  options: NameSearch = {},
): Promise<FoundUser | undefined> {
  if (parseLoginName(loginName) === undefined) return undefined;
  const { user } = await findNameMeaning(reader, instanceId, loginName, options);
  if (user === undefined) return undefined;
  const { isOnlyEmail: _, ...found } = user;
  return found;
}

interface NameSearch {
  /** Only users of this organization. */
  readonly organizationId?: string | undefined;
  /** Only by claims that count in the whole instance: for callers who appoint users of others by their names. */
  readonly isWide?: boolean | undefined;
}

/**
 * Finds the user that a login name means, and the owner of its domain. `username@domain` with a proven domain of an
 * organization means a user of that organization; without such a user, only the first who proved the address by a code.
 * Any other name means
 *
 * 1. the user who proved it as their address by a code; of several active ones the first,
 * 2. the user whose address it is on a word that counts in the whole instance,
 * 3. the administrator of the instance who was given it as a name, 4. a user of the default organization,
 * 5. a user of the organization that said first that it is a name there.
 *
 * An address means an active user before all who are not, whatever the steps between them.
 *
 * Inside of an organization, and so in the last two steps and where a request names it, a verified address stands
 * before a username, and that before a login name: no name keeps the owner of an address out.
 *
 * A name with a domain takes one statement, whatever it means; so does any other, unless several organizations have it.
 */
export async function findNameMeaning(
  reader: Reader,
  instanceId: string,
  loginName: string,
  { organizationId, isWide }: NameSearch = {},
): Promise<NameMeaning> {
  const name = parseLoginName(loginName);
  if (name === undefined) {
    const isAnywhere = organizationId === undefined;
    return { user: undefined, owner: isAnywhere ? await findOwner(reader, instanceId, loginName) : undefined };
  }
  const { key, local, domain } = name;
  const options = { organizationId, isWide, limit: mostCandidates };
  if (domain === undefined) {
    const users = await listUsersOfName(reader, instanceId, key, options);
    const user = organizationId === undefined ? await decide(reader, instanceId, key, users) : first(toSteps(users));
    return { user, owner: undefined };
  }
  const found = await findUsersInDomain(reader, instanceId, { key, local, domain }, options);
  const { owner, everywhere } = found;
  if (organizationId !== undefined) return { user: first(stepsInside(found)), owner };
  const proven = activeFirst(everywhere, isAddress).filter(({ rank }) => rank === "proven_email");
  if (owner !== undefined) return { user: first([...stepsInside(found), proven]), owner };
  return { user: await decide(reader, instanceId, key, everywhere), owner };
}

const isAddress = ({ rank }: UserOfName): boolean => rank === "proven_email" || rank === "verified_email";

/** Decides between the users of the whole instance who have a name without a proven domain. */
async function decide(
  reader: Reader,
  instanceId: string,
  key: string,
  found: readonly UserOfName[],
): Promise<NamedUser | undefined> {
  const users = activeFirst(found, isAddress);
  const proven = users.filter(({ rank }) => rank === "proven_email");
  if (proven.length > 0) return first([proven]);
  const holders = findHolders(users);
  if (holders === undefined) return undefined;
  if (holders.by === "reach") return first(toSteps(holders.users));
  const { organizationId, isContested } = holders;
  // The list may have been filled by others, so it is read again among the users of the organization.
  if (!isContested) return first(toSteps(users));
  const limit = mostCandidates;
  const inside = await listUsersOfName(reader, instanceId, key, { organizationId, limit });
  return first(toSteps(activeFirst(inside, isAddress)));
}

/** A name that no user can have still has the domain that it ends in. */
async function findOwner(reader: Reader, instanceId: string, loginName: string): Promise<DomainOwner | undefined> {
  const domain = addressKey(loginName).split("@").slice(1).at(-1) ?? "";
  const owner = domain === "" ? undefined : await findOwnerOfDomain(reader, instanceId, domain);
  const organization = owner === undefined ? undefined : await findOrganization(reader, instanceId, owner);
  return organization && { organizationId: organization.organizationId, state: organization.state };
}

type Step = readonly UserOfName[];

/** Steps among the users of one organization; in a domain of its own the username stands before the `@`. */
function stepsInside({ inside, qualified }: UsersInDomain): readonly Step[] {
  const named = qualified === undefined ? [] : [{ ...qualified, isQualified: true }];
  const users = activeFirst<UserOfName & { readonly isQualified?: boolean }>([...inside, ...named], isAddress);
  const [proven, verified, ...names] = toSteps(users.filter(({ isQualified }) => isQualified !== true));
  return [proven, verified, users.filter(({ isQualified }) => isQualified === true), ...names];
}

function toSteps(users: readonly UserOfName[]) {
  const of = (rank: UserOfName["rank"]): readonly UserOfName[] => users.filter((user) => user.rank === rank);
  return [of("proven_email"), bestOf(of("verified_email")), bestOf(of("username")), bestOf(of("login_name"))] as const;
}

function first(steps: readonly Step[]): NamedUser | undefined {
  const found = chooseOne(steps.find((users) => users.length > 0) ?? []);
  if (found === undefined) return undefined;
  const { userId, organizationId, organizationState, kind, state, preferredLoginName, displayName, signInEpoch } =
    found;
  const user = { userId, organizationId, organizationState, kind, state, preferredLoginName, displayName, signInEpoch };
  return { ...user, isOnlyEmail: found.isOnlyEmail === 1 };
}
