import { performAll, type Tx } from "../../database/index.ts";
import { advanceProject, holdProject } from "./project.store.ts";
import { type Project, projectAggregate } from "./project.ts";
import { advanceProjectGrants, listGrantIdsWithRole } from "./project-grant.store.ts";
import { projectGrantAggregate, projectGrantPayload } from "./project-grant.ts";
import { deleteRoleFromGrants } from "./project-grant-role.store.ts";
import { deleteProjectRoleRow } from "./project-role.store.ts";

/**
 * Step: removes a role from a project that is locked exclusively, and from its grants, of which there may be any
 * number: more than a batch lose it before, in units of their own. Returns false when the project has no such role. The
 * caller (`deletion`) removes it from role assignments.
 *
 * @param size how many grants are a batch
 */
export async function removeRoleFromProject(
  tx: Tx,
  project: Project,
  { roleKey, size }: { readonly roleKey: string; readonly size: number },
): Promise<boolean> {
  const { projectId } = project;
  if (!(await deleteProjectRoleRow(tx, projectId, roleKey))) return false;
  tx.record({
    type: "project.role.removed",
    ...projectAggregate(project),
    sequence: await advanceProject(tx, projectId),
    payload: { roleKey },
  });
  await performAll(tx, {
    list: async (own, limit) => {
      // Grants change while their project is held.
      await holdProject(own, projectId, "alone");
      return listGrantIdsWithRole(own, { projectId, roleKey, limit });
    },
    perform: (own, grantIds) => takeFromGrants(own, grantIds, roleKey),
    size,
  });
  return true;
}

async function takeFromGrants(tx: Tx, grantIds: readonly string[], roleKey: string): Promise<void> {
  const changed = await advanceProjectGrants(tx, grantIds);
  await deleteRoleFromGrants(tx, grantIds, roleKey);
  for (const grant of changed) {
    const left = { ...grant, roleKeys: grant.roleKeys.filter((key) => key !== roleKey) };
    tx.record({
      type: "project_grant.updated",
      ...projectGrantAggregate(left),
      sequence: left.details.sequence,
      payload: projectGrantPayload(left),
    });
  }
}
