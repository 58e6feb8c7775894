import { type Call, requireCaller } from "../../call/index.ts";
import type { Database, List } from "../../database/index.ts";
import { type ListedProjectRole, listProjectRoleRows, type ProjectRoleListQuery } from "./project-role-list.store.ts";

/** Lists the roles of a project. An organization that the project was lent to sees only the roles that were lent. */
export async function listProjectRoles(
  deps: { readonly database: Database },
  call: Call,
  input: Omit<ProjectRoleListQuery, "reach">,
): Promise<List<ListedProjectRole>> {
  const reach = requireCaller(call).access.reach("project.role.read");
  return listProjectRoleRows(deps.database.read, call.instanceId, { ...input, reach });
}
