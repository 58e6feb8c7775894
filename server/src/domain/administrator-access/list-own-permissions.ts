import { type Call, requireCaller } from "../../call/index.ts";
import type { Database } from "../../database/index.ts";
import { listScopedRoles } from "./access.store.ts";
import { permissionsOf } from "./roles.ts";

/**
 * Lists what the caller's administrative roles permit in the organization of the call: `org.read`, or
 * `project.read:<id>` with the id of the resource where a permission applies to one project or grant only. In
 * alphabetical order.
 */
export async function listOwnPermissions(deps: { readonly database: Database }, call: Call): Promise<string[]> {
  const { access, userId } = requireCaller(call);
  const held = await listScopedRoles(deps.database.read, call.instanceId, userId);
  const permissions = new Set(
    // System users and the operator have no rows; their access has everything.
    access.positions.filter(({ level }) => level === "system").flatMap((position) => [...position.permissions]),
  );
  for (const { role, scope } of held) {
    const isHere =
      scope.level === "instance" ||
      scope.permissionScopes.some(({ organizationId }) => organizationId === call.organizationId);
    if (!isHere) continue;
    const suffix = scope.level === "project" || scope.level === "project_grant" ? `:${scope.resourceId}` : "";
    for (const permission of permissionsOf(role)) permissions.add(permission + suffix);
  }
  return [...permissions].sort();
}
