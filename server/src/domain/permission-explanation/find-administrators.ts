import { type Access, type Call, createAccess } from "../../call/index.ts";
import type { Database } from "../../database/index.ts";
import { changesBuiltInProject, permissionsOf, permissionsOfAll, roleNames } from "../administrator-access/index.ts";
import { type Administrator, type AdministratorFilter, listAdministrators } from "../administrator-search/index.ts";
import { findInstance } from "../instance/index.ts";
import { type Chain, type RolesOnResource, resourceIdOf } from "./explanation.ts";

interface Deps {
  readonly database: Database;
}

/** Any of the resources of a chain. */
const ofChain = ({ levels }: Chain, { instanceId }: Call): AdministratorFilter => ({
  by: "or",
  filters: levels.map(({ level, resourceId }) => ({
    by: "scope",
    level,
    resourceId: level === "instance" ? instanceId : resourceId,
  })),
});

/** Lists the positions of a user on the resources of a chain, as far as the caller may see them. */
export async function listPositionsOf(deps: Deps, call: Call, chain: Chain, userId: string): Promise<Administrator[]> {
  const { administrators } = await listAdministrators(deps, call, {
    filters: [{ by: "user_ids", userIds: [userId] }, ofChain(chain, call)],
    orderBy: "created_at",
    isDescending: false,
    // One page: a user has one position on each of them.
    page: { offset: 0, limit: chain.levels.length },
  });
  return [...administrators];
}

const mostGivers = 10;
// Of so many positions the first that may give are shown.
const mostRead = 100;

/** Lists users who may give something, as far as the caller may see them: `mayGive` judges what a position allows. */
export async function listGivers(
  deps: Deps,
  call: Call,
  chain: Chain,
  { permissions, mayGive }: { readonly permissions: readonly string[]; readonly mayGive: (access: Access) => boolean },
): Promise<Administrator["user"][]> {
  const roles = roleNames.filter((role) => permissionsOf(role).some((each) => permissions.includes(each)));
  const { administrators } = await listAdministrators(deps, call, {
    filters: [ofChain(chain, call), { by: "or", filters: roles.map((role) => ({ by: "role", role })) }],
    orderBy: "created_at",
    isDescending: false,
    // One page: some are shown, and none is decided by.
    page: { offset: 0, limit: mostRead },
  });
  const accessOf = await createAccessOf(deps, call);
  const byUser = Map.groupBy(administrators, ({ user }) => user.userId);
  return [...byUser.values()]
    .filter((positions) => mayGive(accessOf(positions.map(heldBy))))
    .flatMap(([first]) => (first === undefined ? [] : [first.user]))
    .slice(0, mostGivers);
}

/** What an administrator holds on the resource of a row. */
export const heldBy = ({ resource, roles }: Pick<Administrator, "resource" | "roles">): RolesOnResource => ({
  level: resource.level,
  resourceId: resourceIdOf(resource),
  roles,
});

/** Returns what roles on resources allow, as for their holders. */
export async function createAccessOf(
  { database }: Deps,
  { instanceId }: Call,
): Promise<(held: readonly RolesOnResource[]) => Access> {
  const instance = await findInstance(database.read, instanceId);
  return (held) =>
    createAccess(
      held.map(({ level, resourceId, roles }) => {
        const permissions = permissionsOfAll(roles);
        const readOnlyProjectId = changesBuiltInProject({ level, permissions }) ? undefined : instance?.systemProjectId;
        return { level, resourceId, permissions, roles, readOnlyProjectId };
      }),
    );
}
