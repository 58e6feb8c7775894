import { addressKey } from "../../base/names/address-key.ts";
import type { Vault } from "../../base/vault.ts";
import type { Call } from "../../call/index.ts";
import { type Database, type Edge, type Page, type Reader, readerAtLength } from "../../database/index.ts";
import { toLoginName } from "../login-name/index.ts";
import { authorizeUser, findUser, readUser, type User } from "../user/index.ts";
import { openPosition, sealPosition } from "./list-position.ts";
import { readPageToken, writePageToken } from "./page-token.ts";
import { flatten, type UserFilter } from "./user-filter.store.ts";
import { listVerifiedDomains, readUsers, type UserSortColumn } from "./user-list.store.ts";
import { readUsersAfter } from "./users-by-id.store.ts";

/**
 * A user with the names that the user can sign in with, the preferred one first: one for each proven domain of the
 * organization. In lists those of the first 20 domains, otherwise of the first 1,000.
 */
export type ListedUser = User & { readonly loginNames: readonly string[] };

export interface ListUsers {
  /** All must hold. */
  readonly filters: readonly UserFilter[];
  readonly sortBy: UserSortColumn;
  readonly isDescending: boolean;
  readonly page: Page;
  /** A page beside another one, in place of the offset: `next` or `previous` of that one. */
  readonly pageToken?: string;
}

interface UserPage {
  readonly users: ListedUser[];
  readonly total: number;
  /** Tokens of the pages beside this one; undefined at the end or beginning. */
  readonly next: string | undefined;
  readonly previous: string | undefined;
}

/** Lists the users that the caller may read, and the caller. */
export async function listUsers(
  deps: { readonly database: Database },
  call: Call,
  input: ListUsers,
): Promise<UserPage> {
  const reader = deps.database.read;
  const { filters, sortBy: by, isDescending, page, pageToken = "" } = input;
  const beside = readPageToken(input, pageToken);
  const found = await readUsers(reader, call, flatten(filters), { by, isDescending, page, beside });
  const tokenOf = (edge: Edge | undefined, isBefore: boolean) => edge && writePageToken(input, { edge, isBefore });
  return {
    users: await withLoginNames(reader, call.instanceId, found.rows),
    total: found.total,
    next: tokenOf(found.last, false),
    previous: tokenOf(found.first, true),
  };
}

/**
 * Returns the next users, by their ids, of a list that is read from its beginning to its end. A position is sealed: it
 * tells its reader nothing.
 */
export async function listUsersAfter(
  deps: { readonly database: Database; readonly vault: Pick<Vault, "encrypt" | "decrypt"> },
  call: Call,
  input: { readonly filters: readonly UserFilter[]; readonly position: string; readonly limit: number },
): Promise<{ readonly users: readonly ListedUser[]; readonly next: string | undefined }> {
  const { filters, position, limit } = input;
  const { instanceId } = call;
  const after = openPosition(deps.vault, instanceId, position);
  const reader = readerAtLength(deps.database.read);
  const { users, next } = await readUsersAfter(reader, call, flatten(filters), { after, limit });
  return {
    users: await withLoginNames(reader, instanceId, users),
    next: next && sealPosition(deps.vault, instanceId, next),
  };
}

/** Returns a user that the caller may read. */
export async function getUser(
  deps: { readonly database: Database },
  call: Call,
  input: { readonly userId: string },
): Promise<ListedUser> {
  const user = await authorizeUser(deps.database.read, call, input.userId, readUser);
  const [listed] = await withLoginNames(deps.database.read, call.instanceId, [user], mostDomains);
  return listed ?? { ...user, loginNames: [] };
}

/** Finds a user with all names, for callers that decide themselves what may be shown. */
export async function findListedUser(
  reader: Reader,
  instanceId: string,
  userId: string,
): Promise<ListedUser | undefined> {
  const user = await findUser(reader, instanceId, userId);
  return user && (await withLoginNames(reader, instanceId, [user], mostDomains))[0];
}

// An organization may prove any number of domains, and a page has a name for each of them for each of its users.
const mostDomains = 1_000;
const mostDomainsOfPage = 20;

async function withLoginNames(
  reader: Reader,
  instanceId: string,
  users: readonly User[],
  limit = mostDomainsOfPage,
): Promise<ListedUser[]> {
  const organizationIds = [...new Set(users.map(({ organizationId }) => organizationId))];
  const domains = Map.groupBy(
    await listVerifiedDomains(reader, instanceId, { organizationIds, limit }),
    ({ organizationId }) => organizationId,
  );
  return users.map((user) => {
    const username = { shown: user.username, key: addressKey(user.username) };
    const formed = (domains.get(user.organizationId) ?? []).map(({ domain }) => toLoginName(username, domain).shown);
    return { ...user, loginNames: [...new Set([user.preferredLoginName, ...formed])] };
  });
}
