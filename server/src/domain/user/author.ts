import { type Call, type Position, withoutLoginClient } from "../../call/index.ts";
import type { Reader } from "../../database/index.ts";

/** A position of an author: its roles, or what was left of their permissions where the call was narrowed. */
type AuthorPosition = Pick<Position, "level" | "resourceId" | "readOnlyProjectId"> &
  ({ readonly roles: readonly string[] } | { readonly permissions: readonly string[] });

/**
 * What those who prepared a way into the account of a user administered then. It gives no more than that: a user who
 * administers more by now is not entered by it.
 */
export type Author = readonly AuthorPosition[];

/**
 * Returns whether an author held at least what the positions of a user carry now. Implemented by a later module
 * (`membership`), so it is passed in.
 */
export type MayPrepareFor = (reader: Reader, instanceId: string, author: Author, userId: string) => Promise<boolean>;

/** Dependencies of everything that lets a user in by what another prepared. */
export interface PreparedDeps {
  readonly mayPrepareFor: MayPrepareFor;
}

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

/** Returns the author of what an owner of an organization said. */
export const ownerOf = (organizationId: string): Author => [
  { level: "organization", resourceId: organizationId, roles: ["ORG_OWNER"] },
];

/** Returns an author as it is stored. */
export const formatAuthor = (author: Author): string => JSON.stringify(author);

/** Reads a stored author. */
export const parseAuthor = (text: string): Author => JSON.parse(text) as Author;
