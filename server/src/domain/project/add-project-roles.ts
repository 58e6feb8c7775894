import type { Call } from "../../call/index.ts";
import type { Database, Details } from "../../database/index.ts";
import { addRoles, holdProjectForRoles, type RoleToAdd } from "./add-project-role.ts";
import { roleDetails } from "./project-role.ts";

/**
 * Defines roles of a project, all or none. Returns the details of the last one, or of the project for an empty list.
 */
export async function addProjectRoles(
  deps: { readonly database: Database },
  call: Call,
  input: { readonly projectId: string; readonly roles: readonly RoleToAdd[] },
): Promise<Details> {
  return deps.database.change(call, async (tx) => {
    const project = await holdProjectForRoles(tx, input.projectId);
    const last = (await addRoles(tx, project, input.roles, (index) => `roles[${index}].`)).at(-1);
    return last === undefined ? project.details : roleDetails(last, project);
  });
}
