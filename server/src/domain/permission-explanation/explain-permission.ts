import { Fault } from "../../base/fault.ts";
import { type Access, type Call, requireCaller, type Scope } from "../../call/index.ts";
import type { Database } from "../../database/index.ts";
import {
  type AdministeredResource,
  isAssignable,
  mayAppoint,
  memberPermission,
  permissionsOf,
  roleNames,
} from "../administrator-access/index.ts";
import type { Chain, Explanation, PermissionPath, RolesOnResource } from "./explanation.ts";
import { createAccessOf, heldBy, listGivers, listPositionsOf } from "./find-administrators.ts";
import { findChain } from "./find-chain.ts";
import { findExplainedUser } from "./find-explained-user.ts";

const allPermissions: ReadonlySet<string> = new Set(roleNames.flatMap(permissionsOf));

/** Whether some role has the permission. */
export const isPermission = (name: string): boolean => allPermissions.has(name);

/** Whether one of several permissions holds where a resource is. */
const holdsOne = (access: Access, permissions: readonly string[], scopes: readonly Scope[]): boolean =>
  permissions.some((permission) => scopes.some((scope) => access.allows(permission, scope)));

/**
 * Explains whether a user holds one of several permissions on a resource, for callers who may list its administrators.
 * Positions that the caller may not see do not count.
 */
export async function explainPermission(
  deps: { readonly database: Database },
  call: Call,
  input: {
    readonly userId: string;
    readonly resource: AdministeredResource;
    readonly permissions: readonly string[];
  },
): Promise<Explanation> {
  requireCaller(call);
  const { permissions } = input;
  if (!permissions.every(isPermission)) {
    throw new Fault("invalid_argument", "permission.unknown", { field: "permission" });
  }
  const chain = await findChain(deps.database.read, call, input.resource);
  const positions = await listPositionsOf(deps, call, chain, input.userId);
  const { isInactive } = await findExplainedUser(deps.database.read, call, input.userId, positions.length > 0);
  const accessOf = await createAccessOf(deps, call);
  const gives = (held: RolesOnResource): boolean =>
    holdsOne(accessOf([held]), permissions, chain.resource.permissionScopes);
  const pathOf = (held: RolesOnResource, isEffective: boolean): PermissionPath[] => {
    const roles = held.roles.filter((role) => gives({ ...held, roles: [role] }));
    return roles.length === 0 ? [] : [{ by: "administrator", isEffective, held: { ...held, roles } }];
  };
  const paths = positions.flatMap((position) => {
    const { pendingRoles: roles } = position;
    return [...pathOf(heldBy(position), true), ...pathOf({ ...heldBy(position), roles }, false)];
  });
  // Together they may give what none gives alone: only owners of the instance change its own project.
  const isAllowed = holdsOne(accessOf(positions.map(heldBy)), permissions, chain.resource.permissionScopes);
  const missing = isAllowed ? [] : rolesThatGive(chain, gives);
  return { isAllowed, isInactive, paths, missing, ...(await findGivers(deps, call, chain, missing)) };
}

/** Returns the roles that would give it, on each resource of the chain. */
function rolesThatGive({ levels }: Chain, gives: (held: RolesOnResource) => boolean): RolesOnResource[] {
  return levels.flatMap(({ level, resourceId }) => {
    const roles = roleNames.filter((role) => isAssignable(role, level) && gives({ level, resourceId, roles: [role] }));
    return roles.length === 0 ? [] : [{ level, resourceId, roles }];
  });
}

/** Finds who may appoint the user to one of these roles on the resource itself. */
async function findGivers(
  deps: { readonly database: Database },
  call: Call,
  chain: Chain,
  missing: readonly RolesOnResource[],
): Promise<Pick<Explanation, "permissionsToGive" | "administrators">> {
  const { resource } = chain;
  const roles = missing.filter(({ level }) => level === resource.level).flatMap((each) => each.roles);
  if (roles.length === 0) return { permissionsToGive: [], administrators: [] };
  const permission = `${memberPermission[resource.level]}.write`;
  const mayGive = (access: Access): boolean =>
    holdsOne(access, [permission], resource.permissionScopes) &&
    roles.some((role) => mayAppoint(access, role, resource));
  const administrators = await listGivers(deps, call, chain, { permissions: [permission], mayGive });
  return { permissionsToGive: [permission], administrators };
}
