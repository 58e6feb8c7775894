import { Fault } from "../../base/fault.ts";
import { authorize, type Call } from "../../call/index.ts";
import type { Database } from "../../database/index.ts";
import { advanceProject, holdProject } from "./project.store.ts";
import { projectAbsence, projectAggregate } from "./project.ts";
import { findProjectRole, updateProjectRoleRow } from "./project-role.store.ts";
import { checkProjectRole } from "./project-role.ts";

/** What to change; what is not given stays as it is. The key is for ever. */
export interface ProjectRoleUpdate {
  readonly projectId: string;
  readonly roleKey: string;
  readonly displayName?: string;
  readonly roleGroup?: string;
}

/** Changes how a role is shown. */
export async function updateProjectRole(
  deps: { readonly database: Database },
  call: Call,
  input: ProjectRoleUpdate,
): Promise<{ readonly changedAt: number }> {
  return deps.database.change(call, async (tx) => {
    const project = await holdProject(tx, input.projectId, "alone");
    authorize(call, project, { permission: "project.role.write", ...projectAbsence });
    const role = await findProjectRole(tx, tx.instanceId, input);
    if (role === undefined) throw new Fault("not_found", "project.role_not_found", { field: "roleKey" });
    const wanted = { ...role, ...input };
    checkProjectRole(wanted);
    const { roleKey, displayName, roleGroup } = wanted;
    if (displayName === role.displayName && roleGroup === role.roleGroup) return { changedAt: role.changedAt };
    await updateProjectRoleRow(tx, wanted);
    tx.record({
      type: "project.role.updated",
      ...projectAggregate(project),
      sequence: await advanceProject(tx, project.projectId),
      payload: { roleKey, displayName, roleGroup },
    });
    return { changedAt: tx.now };
  });
}
