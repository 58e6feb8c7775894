import { Fault } from "../../base/fault.ts";
import type { Call } from "../../call/index.ts";
import type { Database, Details } from "../../database/index.ts";
import { holdProjectForRoles } from "./add-project-role.ts";
import { advanceProject } from "./project.store.ts";
import { projectAggregate } from "./project.ts";
import { findProjectRole, updateProjectRoleRow } from "./project-role.store.ts";
import { checkProjectRole, roleDetails } from "./project-role.ts";

/** What to change; absent members stay as they are. The key never changes. */
export interface ProjectRoleUpdate {
  readonly projectId: string;
  readonly roleKey: string;
  readonly displayName?: string;
  readonly roleGroup?: string;
}

/** Changes the display name and the group of a role. */
export async function updateProjectRole(
  deps: { readonly database: Database },
  call: Call,
  input: ProjectRoleUpdate,
): Promise<Details> {
  return deps.database.change(call, async (tx) => {
    const project = await holdProjectForRoles(tx, input.projectId);
    const role = await findProjectRole(tx, tx.instanceId, input);
    if (role === undefined) throw new Fault("not_found", "project.role_not_found", { field: "roleKey" });
    const wanted = { ...role, ...input };
    checkProjectRole(wanted);
    const { roleKey, displayName, roleGroup } = wanted;
    if (displayName === role.displayName && roleGroup === role.roleGroup) {
      return roleDetails({ ...role, sequence: project.details.sequence }, project);
    }
    await updateProjectRoleRow(tx, wanted);
    const sequence = await advanceProject(tx, project.projectId);
    tx.record({
      type: "project.role.updated",
      ...projectAggregate(project),
      sequence,
      payload: { roleKey, displayName, roleGroup },
    });
    return roleDetails({ ...role, changedAt: tx.now, sequence }, project);
  });
}
