import { type Call, requireCaller } from "../../call/index.ts";
import type { Database, List } from "../../database/index.ts";
import { type ListedProjectRole, listProjectRoleRows, type ProjectRoleListQuery } from "./project-role-list.store.ts";

/** Roles of a project. Where the project was lent to, only the roles that were lent are seen. */
export async function listProjectRoles(
  deps: { readonly database: Database },
  call: Call,
  input: Omit<ProjectRoleListQuery, "reach">,
): Promise<List<ListedProjectRole>> {
  const reach = requireCaller(call).access.reach("project.role.read");
  return listProjectRoleRows(deps.database.read, call.instanceId, { ...input, reach });
}
