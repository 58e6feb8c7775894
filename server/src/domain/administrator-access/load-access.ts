import { type Access, createAccess, noAccess, type Position } from "../../call/index.ts";
import type { Reader } from "../../database/index.ts";
import { type HeldRoleInInstance, listHeldRoles } from "./access.store.ts";
import { changesBuiltInProject } from "./may-appoint.ts";
import { permissionsOfAll } from "./roles.ts";

/** Returns what a user may do, from the roles committed now: a change of roles takes effect with the next request. */
export async function loadAccess(reader: Reader, instanceId: string, userId: string): Promise<Access> {
  const held = await listHeldRoles(reader, instanceId, userId);
  return held.length === 0 ? noAccess : createAccess(toPositions(held));
}

/** Returns what a system user may do: roles of the configuration, which apply in every instance. */
export function createSystemAccess(roles: readonly string[]): Access {
  return createAccess([{ level: "system", resourceId: "", permissions: permissionsOfAll(roles), roles }]);
}

function toPositions(held: readonly HeldRoleInInstance[]): Position[] {
  const byResource = Map.groupBy(held, ({ level, resourceId }) => `${level} ${resourceId}`);
  return [...byResource.values()].map((there) => {
    const { level, resourceId, systemProjectId } = there[0] as HeldRoleInInstance;
    const roles = there.map(({ role }) => role);
    const permissions = permissionsOfAll(roles);
    return {
      level,
      resourceId: level === "instance" ? "" : resourceId,
      permissions,
      roles,
      readOnlyProjectId: changesBuiltInProject({ level, permissions }) ? undefined : systemProjectId,
    };
  });
}
