import { type Access, createAccess, decideBy, type Position } from "./access.ts";
import type { Call } from "./call.ts";
import { withoutLoginClient } from "./login-client.ts";
import type { Preparation } from "./preparation.ts";

/** A position of an author: its roles, or what was left of their permissions where the call was narrowed. */
type AuthorPosition = Pick<Position, "level" | "resourceId" | "readOnlyProjectId"> &
  ({ readonly roles: readonly string[] } | { readonly permissions: readonly string[] });

/** What an administrator held at some time. */
export type Positions = readonly AuthorPosition[];

/**
 * What the parties who prepared access to a user's account administered at the time. The access is worth no more than
 * that: it no longer works once the user administers more. Everything made in a session that other parties could have
 * opened has all of them as its author.
 */
export type Author = Positions | { readonly preparedBy: readonly Preparation[] };

const levels: readonly Position["level"][] = ["system", "instance", "organization", "project", "project_grant"];

// Sorted widest first; an author with more memberships is judged by these.
const mostPositions = 16;

// The least that an administrator holds who manages users: it carries no administrator.
const leastOfManagers = "user.write";

/**
 * Returns the caller as the author of what the call says. Who wrote what the data of an organization says is not known:
 * whichever administrator manages its users may have, so it counts as the word of one who holds nothing besides.
 */
export function authorOf(call: Call): Positions {
  if (call.caller?.importer === undefined) return positionsOf(call);
  return call.caller.access.noted.map(({ level, resourceId, permissions }) => ({
    level,
    resourceId,
    permissions: permissions.has(leastOfManagers) ? [leastOfManagers] : [],
  }));
}

/**
 * Decides by the caller as the author of what is done now, and not later: what the caller holds is asked again until it
 * is done (`decideBy`). `name` tells decisions apart.
 */
export function decideByAuthor(call: Call, name: string, isGood: (author: Positions) => boolean): boolean {
  const { caller } = call;
  if (caller === undefined || caller.importer !== undefined) return isGood(authorOf(call));
  return decideBy(withoutLoginClient(caller.access), name, ({ positions }) => isGood(toAuthor(positions)));
}

/**
 * Returns what the caller holds, as the author of what the caller itself gives. Permissions held as a sign-in
 * application give no power over users. It is noted, and decides nothing now: others give and take positions on what is
 * theirs, and refuse no call by that.
 */
export const positionsOf = ({ caller }: Call): Positions =>
  toAuthor(caller === undefined ? [] : withoutLoginClient(caller.access).noted);

function toAuthor(positions: readonly Position[]): Positions {
  return widestOf(positions).map(({ level, resourceId, readOnlyProjectId, roles, permissions }) => ({
    level,
    resourceId,
    ...(readOnlyProjectId !== undefined && { readOnlyProjectId }),
    ...(roles === undefined ? { permissions: [...permissions].toSorted() } : { roles }),
  }));
}

/** Returns the author who holds these roles. */
export const authorWith = (
  held: readonly (Pick<Position, "level" | "resourceId"> & { readonly role: string })[],
): Positions => widestOf(held).map(({ level, resourceId, role }) => ({ level, resourceId, roles: [role] }));

const widestOf = <Held extends Pick<Position, "level">>(positions: readonly Held[]): readonly Held[] =>
  positions.toSorted((one, other) => levels.indexOf(one.level) - levels.indexOf(other.level)).slice(0, mostPositions);

/** The author of what an owner of the instance said. */
export const ownerOfInstance: Positions = [{ level: "instance", resourceId: "", roles: ["IAM_OWNER"] }];

/** An author who held nothing: what they prepared is good for users who administer nothing. */
export const authorOfNothing: Positions = [];

/** Returns the author of what an owner of an organization said. */
export const ownerOf = (organizationId: string): Positions => [
  { level: "organization", resourceId: organizationId, roles: ["ORG_OWNER"] },
];

/** Returns an author as it is stored. */
export const formatAuthor = (author: Author): string => JSON.stringify(author);

/** Reads a stored author. */
export const parseAuthor = (text: string): Author => JSON.parse(text) as Author;

/**
 * Returns the author of what is made in a session that depends on this, as it is stored; empty where the user alone
 * opened it.
 */
export const formatAuthorOfSession = (preparedBy: readonly Preparation[]): string =>
  preparedBy.length === 0 ? "" : formatAuthor({ preparedBy });

/**
 * Returns the preparations by an author as it is stored: none where the user alone is. Those of a session stay what
 * they are, however many steps what was made in it is away.
 */
export function preparationsBy(author: string): readonly Preparation[] {
  if (author === "") return [];
  const parsed = parseAuthor(author);
  return "preparedBy" in parsed ? parsed.preparedBy : [{ author }];
}

/** Returns preparations together, each once. */
export function joinPreparations(...lists: readonly (readonly Preparation[])[]): readonly Preparation[] {
  return [...new Map(lists.flat().map((each) => [JSON.stringify(each), each])).values()];
}

/**
 * Returns the permissions of several roles together, as they are now. `administrator-access` in the domain knows them.
 */
export type PermissionsOfRoles = (roles: readonly string[]) => ReadonlySet<string>;

/** Returns what an author may do now: their roles of then, with the permissions that these have today. */
export const accessOfAuthor = (author: Positions, permissionsOfRoles: PermissionsOfRoles): Access =>
  createAccess(
    author.map((position) => ({
      ...position,
      permissions: "roles" in position ? permissionsOfRoles(position.roles) : new Set(position.permissions),
    })),
  );
