import { type Access, createAccess, type Position } from "./access.ts";
import type { Call } from "./call.ts";
import { withoutLoginClient } from "./login-client.ts";

/** A position of an author: its roles, or what was left of their permissions where the call was narrowed. */
type AuthorPosition = Pick<Position, "level" | "resourceId" | "readOnlyProjectId"> &
  ({ readonly roles: readonly string[] } | { readonly permissions: readonly string[] });

/**
 * What those who prepared a way into the account of a user administered then. It gives no more than that: a user who
 * administers more by now is not entered by it.
 */
export type Author = readonly AuthorPosition[];

const levels: readonly Position["level"][] = ["system", "instance", "organization", "project", "project_grant"];

// The widest come first, and an author who has more is judged by these.
const mostPositions = 16;

/** Returns the caller as an author. What callers hold as sign-in applications gives them no power over users. */
export function authorOf({ caller }: Call): Author {
  const { positions } = caller === undefined ? { positions: [] } : withoutLoginClient(caller.access);
  return positions
    .toSorted((one, other) => levels.indexOf(one.level) - levels.indexOf(other.level))
    .slice(0, mostPositions)
    .map(({ level, resourceId, readOnlyProjectId, roles, permissions }) => ({
      level,
      resourceId,
      ...(readOnlyProjectId !== undefined && { readOnlyProjectId }),
      ...(roles === undefined ? { permissions: [...permissions].toSorted() } : { roles }),
    }));
}

/** The author of what an owner of the instance said. */
export const ownerOfInstance: Author = [{ level: "instance", resourceId: "", roles: ["IAM_OWNER"] }];

/** An author who held nothing: what they prepared is good for users who administer nothing. */
export const authorOfNothing: Author = [];

/** Returns the author of what an owner of an organization said. */
export const ownerOf = (organizationId: string): Author => [
  { level: "organization", resourceId: organizationId, roles: ["ORG_OWNER"] },
];

/** Returns an author as it is stored. */
export const formatAuthor = (author: Author): string => JSON.stringify(author);

/** Reads a stored author. */
export const parseAuthor = (text: string): Author => JSON.parse(text) as Author;

/** Returns the permissions of several roles together, as they are now. `membership` knows them, which is a later room. */
export type PermissionsOfRoles = (roles: readonly string[]) => ReadonlySet<string>;

/** Returns what an author may do now: their roles of then, with the permissions that these have today. */
export const accessOfAuthor = (author: Author, permissionsOfRoles: PermissionsOfRoles): Access =>
  createAccess(
    author.map((position) => ({
      ...position,
      permissions: "roles" in position ? permissionsOfRoles(position.roles) : new Set(position.permissions),
    })),
  );
