import type { Tx } from "../../database/index.ts";
import { advanceProject } from "./project.store.ts";
import { type Project, projectAggregate } from "./project.ts";
import { advanceGrantsWithRole } from "./project-grant.store.ts";
import { projectGrantAggregate, projectGrantPayload } from "./project-grant.ts";
import { deleteRoleFromGrants } from "./project-grant-role.store.ts";
import { deleteProjectRoleRow } from "./project-role.store.ts";

/**
 * Step: removes a role from a project that is locked exclusively, and from its grants. Returns false when the project
 * has no such role. The caller (`deletion`) removes it from role assignments.
 */
export async function removeRoleFromProject(tx: Tx, project: Project, roleKey: string): Promise<boolean> {
  if (!(await deleteProjectRoleRow(tx, project.projectId, roleKey))) return false;
  tx.record({
    type: "project.role.removed",
    ...projectAggregate(project),
    sequence: await advanceProject(tx, project.projectId),
    payload: { roleKey },
  });
  const grants = await advanceGrantsWithRole(tx, project.projectId, roleKey);
  await deleteRoleFromGrants(tx, project.projectId, roleKey);
  for (const grant of grants) {
    const left = { ...grant, roleKeys: grant.roleKeys.filter((key) => key !== roleKey) };
    tx.record({
      type: "project_grant.updated",
      ...projectGrantAggregate(left),
      sequence: left.details.sequence,
      payload: projectGrantPayload(left),
    });
  }
  return true;
}
