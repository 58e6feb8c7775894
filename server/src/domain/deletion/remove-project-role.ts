import type { Call } from "../../call/index.ts";
import type { Database } from "../../database/index.ts";
import { takeRoles } from "../authorization/index.ts";
import { holdAuthorizedProject, removeRoleFromProject } from "../project/index.ts";

/**
 * Removes a role from a project, its grants and all role assignments. Removing an absent role succeeds, and no
 * time is returned.
 */
export async function removeProjectRole(
  deps: { readonly database: Database },
  call: Call,
  input: { readonly projectId: string; readonly roleKey: string },
): Promise<{ readonly removedAt?: number }> {
  return deps.database.change(call, async (tx) => {
    const project = await holdAuthorizedProject(tx, input.projectId, "project.role.write");
    if (!(await removeRoleFromProject(tx, project, input.roleKey))) return {};
    await takeRoles(tx, { projectId: project.projectId }, [input.roleKey]);
    return { removedAt: tx.now };
  });
}
