import { Fault } from "../../base/fault.ts";
import { isName } from "../../base/name.ts";
import { authorize, type Call } from "../../call/index.ts";
import type { Database } from "../../database/index.ts";
import { advanceProject, holdProject } from "./project.store.ts";
import { projectAbsence, projectAggregate } from "./project.ts";
import { insertProjectRole } from "./project-role.store.ts";
import { checkProjectRole, type ProjectRole } from "./project-role.ts";

export interface NewProjectRole {
  readonly projectId: string;
  readonly roleKey: string;
  readonly displayName: string;
  readonly roleGroup?: string;
}

/** Defines a role of a project. Refuses a key that the project has already. */
export async function addProjectRole(
  deps: { readonly database: Database },
  call: Call,
  input: NewProjectRole,
): Promise<ProjectRole> {
  return deps.database.change(call, async (tx) => {
    const project = await holdProject(tx, input.projectId, "alone");
    authorize(call, project, { permission: "project.role.write", ...projectAbsence });
    if (!isName(input.roleKey)) throw new Fault("invalid_argument", "project.role_key_invalid", { field: "roleKey" });
    const wanted = { roleGroup: "", ...input };
    checkProjectRole(wanted);
    const role = await insertProjectRole(tx, wanted);
    if (role === undefined) throw new Fault("already_exists", "project.role_taken", { field: "roleKey" });
    const { roleKey, displayName, roleGroup } = role;
    tx.record({
      type: "project.role.added",
      ...projectAggregate(project),
      sequence: await advanceProject(tx, project.projectId),
      payload: { roleKey, displayName, roleGroup },
    });
    return role;
  });
}
