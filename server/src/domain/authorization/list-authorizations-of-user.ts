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

/** Bytes of assignments of organizations to which the project is lent, and of all others. */
const mostOfPartners = 30_000;
const mostOfStrangers = 10_000;
/** Few, because each may have a thousand roles. */
const fewAtOnce = 8;

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
    const { rows: more, total } = await listAfter(deps, call, { filters, last: rows.at(-1), limit: atOnce });
    rows.push(...more);
    left -= countRoles(more);
    const isWhole = more.length >= total;
    if (isWhole || rows.length >= most.authorizations || left <= 0) return { rows, isWhole };
  }
}

/** Of whom something is said, and to whom. */
interface Told {
  /** Home of the user. */
  readonly organizationId: string;
  /** The project of the application that is told, with its owner; undefined where there is none. */
  readonly project: { readonly projectId: string; readonly organizationId: string } | undefined;
  /** How long an assignment is in what is said, in bytes. */
  readonly lengthOf: (authorization: AuthorizationWithRoles) => number;
}

/**
 * Lists the role assignments of the caller for what is said about them: all that their home organization and the owner
 * of the project made, and of others the oldest. Any organization may assign roles of its projects to any user, as many
 * and as long as it likes, and would otherwise keep the user out where what is said becomes too long for its reader. So
 * others have little room, and those to which the project is lent have room of their own for its roles. Undefined where
 * those of home and owner are too many.
 */
export async function listAuthorizationsOfUser(
  deps: Deps,
  call: Call,
  { organizationId, project, lengthOf }: Told,
): Promise<AuthorizationsFound | undefined> {
  const ofUser = { kind: "users", userIds: [requireCaller(call).userId] } as const;
  const organizationIds = [...new Set([organizationId, project?.organizationId ?? organizationId])];
  const madeBy = (isIn: boolean) => ({ kind: "made_by", organizationIds, isIn }) as const;
  const first = await listAllAuthorizations(deps, call, [ofUser, madeBy(true)], mostTold);
  if (!first.isWhole) return undefined;
  const others = [ofUser, madeBy(false)];
  const none: AuthorizationsFound = { rows: [], isWhole: true };
  const lent =
    project === undefined
      ? none
      : await listFirst(deps, call, {
          filters: [...others, { kind: "project", projectId: project.projectId }],
          lengthOf,
          most: mostOfPartners,
        });
  const foreign = await listFirst(deps, call, {
    filters: project === undefined ? others : [...others, { kind: "other_projects", projectId: project.projectId }],
    lengthOf,
    most: mostOfStrangers,
  });
  return { rows: [...first.rows, ...lent.rows, ...foreign.rows], isWhole: lent.isWhole && foreign.isWhole };
}

/** Lists the first role assignments that match, in the order of their ids, that are together not longer than `most`. */
async function listFirst(
  deps: Deps,
  call: Call,
  {
    filters,
    lengthOf,
    most,
  }: { readonly filters: readonly AuthorizationFilter[]; readonly most: number } & Pick<Told, "lengthOf">,
): Promise<AuthorizationsFound> {
  const rows: AuthorizationWithRoles[] = [];
  let left = most;
  for (;;) {
    const { rows: more, total } = await listAfter(deps, call, { filters, last: rows.at(-1), limit: fewAtOnce });
    for (const row of more) {
      left -= lengthOf(row);
      if (left < 0) return { rows, isWhole: false };
      rows.push(row);
    }
    if (more.length >= total) return { rows, isWhole: true };
  }
}

const listAfter = (
  deps: Deps,
  call: Call,
  {
    filters,
    last,
    limit,
  }: {
    readonly filters: readonly AuthorizationFilter[];
    readonly last: AuthorizationWithRoles | undefined;
    readonly limit: number;
  },
) =>
  listAuthorizations(deps, call, {
    filters: last === undefined ? filters : [...filters, { kind: "after", authorizationId: last.authorizationId }],
    orderBy: "authorization_id",
    isDescending: false,
    // One page: the next one begins after its last id.
    page: { offset: 0, limit },
  });

const countRoles = (rows: readonly AuthorizationWithRoles[]): number =>
  rows.reduce((count, { roles }) => count + roles.length, 0);
