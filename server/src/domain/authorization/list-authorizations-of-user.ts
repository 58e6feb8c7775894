import { type Call, requireCaller } from "../../call/index.ts";
import type { Database } from "../../database/index.ts";
import type { AuthorizationFilter } from "./authorization-filter.ts";
import { type AuthorizationWithRoles, listAuthorizations } from "./list-authorizations.ts";

interface Deps {
  readonly database: Database;
}

/** Role assignments, and whether they are all of them. */
export interface AuthorizationsFound {
  readonly rows: readonly AuthorizationWithRoles[];
  readonly isWhole: boolean;
}

/** How much is read: up to the page that goes beyond one of them. */
interface Bounds {
  readonly authorizations: number;
  readonly roles: number;
}

const atOnce = 1000;
const mostRead: Bounds = { authorizations: 5000, roles: 100_000 };
const mostTold: Bounds = { authorizations: 2000, roles: 20_000 };

/**
 * Lists all role assignments that the caller may read and that match, in the order of their ids, by which pages follow
 * each other: whatever changes meanwhile, none is missed. Where there are very many, the first of them.
 */
export async function listAllAuthorizations(
  deps: Deps,
  call: Call,
  filters: readonly AuthorizationFilter[],
  most = mostRead,
): Promise<AuthorizationsFound> {
  const rows: AuthorizationWithRoles[] = [];
  let left = most.roles;
  for (;;) {
    const last = rows.at(-1)?.authorizationId;
    const { rows: more, total } = await listAuthorizations(deps, call, {
      filters: last === undefined ? filters : [...filters, { kind: "after", authorizationId: last }],
      orderBy: "authorization_id",
      isDescending: false,
      // One page: the next one begins after its last id.
      page: { offset: 0, limit: atOnce },
    });
    rows.push(...more);
    left -= countRoles(more);
    const isWhole = more.length >= total;
    if (isWhole || rows.length >= most.authorizations || left <= 0) return { rows, isWhole };
  }
}

/**
 * Lists the role assignments of the caller for what is said about them: all that the given organizations made, and as
 * many others as fit. Any organization may assign roles of its projects to a user, as many as it likes, and so would
 * otherwise take the place of those that matter, or keep the user out. Undefined where the former are too many.
 */
export async function listAuthorizationsOfUser(
  deps: Deps,
  call: Call,
  { organizationIds }: { readonly organizationIds: readonly string[] },
): Promise<AuthorizationsFound | undefined> {
  const ofUser = { kind: "users", userIds: [requireCaller(call).userId] } as const;
  const all = await listAllAuthorizations(deps, call, [ofUser], mostTold);
  if (all.isWhole) return all;
  const rows: AuthorizationWithRoles[] = [];
  const ids = new Set(organizationIds);
  for (const organizationId of ids) {
    const ofOrganization = { kind: "organization", organizationId } as const;
    const made = await listAllAuthorizations(deps, call, [ofUser, ofOrganization], mostTold);
    if (!made.isWhole) return undefined;
    rows.push(...made.rows);
  }
  let left = mostTold.roles - countRoles(rows);
  if (rows.length > mostTold.authorizations || left < 0) return undefined;
  for (const row of all.rows) {
    if (ids.has(row.organizationId)) continue;
    left -= row.roles.length;
    if (rows.length === mostTold.authorizations || left < 0) break;
    rows.push(row);
  }
  return { rows, isWhole: false };
}

const countRoles = (rows: readonly AuthorizationWithRoles[]): number =>
  rows.reduce((count, { roles }) => count + roles.length, 0);
