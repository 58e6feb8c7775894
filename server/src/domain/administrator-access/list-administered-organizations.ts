import type { Reader } from "../../database/index.ts";
import { listScopedRoles } from "./access.store.ts";

/**
 * Lists the organizations in which a user administers something: all of it, a project, or a project that was lent to
 * it.
 */
export async function listAdministeredOrganizations(
  reader: Reader,
  instanceId: string,
  userId: string,
): Promise<string[]> {
  const held = await listScopedRoles(reader, instanceId, userId);
  const ids = held.flatMap(({ scope }) => scope.permissionScopes.map(({ organizationId }) => organizationId ?? ""));
  return [...new Set(ids)].filter((id) => id !== "").sort();
}
