import { Fault } from "../../base/fault.ts";
import { isName } from "../../base/names/name.ts";
import { authorize, type Call } from "../../call/index.ts";
import type { Database, Details, Tx } from "../../database/index.ts";
import { advanceProject, holdProject } from "./project.store.ts";
import { type Project, projectAbsence, projectAggregate } from "./project.ts";
import { insertProjectRole } from "./project-role.store.ts";
import { checkProjectRole, type ProjectRole, roleDetails } from "./project-role.ts";

/** What a new role is called. */
export interface RoleToAdd {
  readonly roleKey: string;
  readonly displayName: string;
  readonly roleGroup?: string;
}

export interface NewProjectRole extends RoleToAdd {
  readonly projectId: string;
}

/** Defines a role of a project. Refuses a key that the project already has. */
export async function addProjectRole(
  deps: { readonly database: Database },
  call: Call,
  { projectId, ...role }: NewProjectRole,
): Promise<ProjectRole & { readonly details: Details }> {
  return deps.database.change(call, async (tx) => {
    const project = await holdProjectForRoles(tx, projectId);
    const added = await addRole(tx, project, role);
    return { ...added, details: roleDetails(added, project) };
  });
}

/** Returns the project, locked exclusively, if the caller may change its roles. */
export async function holdProjectForRoles(tx: Tx, projectId: string): Promise<Project> {
  const project = await holdProject(tx, projectId, "alone");
  authorize(tx.call, project, { permission: "project.role.write", ...projectAbsence });
  return project;
}

/**
 * Step: defines a role of a project that is locked exclusively. `prefix` is the position of the role in the request.
 */
export async function addRole(tx: Tx, project: Project, role: RoleToAdd, prefix = ""): Promise<ProjectRole> {
  const field = prefix === "" ? "roleKey" : `${prefix}key`;
  if (!isName(role.roleKey)) throw new Fault("invalid_argument", "project.role_key_invalid", { field });
  const wanted = { roleGroup: "", ...role, projectId: project.projectId };
  checkProjectRole(wanted, prefix);
  const added = await insertProjectRole(tx, wanted);
  if (added === undefined) throw new Fault("already_exists", "project.role_taken", { field });
  const { roleKey, displayName, roleGroup } = added;
  const sequence = await advanceProject(tx, project.projectId);
  tx.record({
    type: "project.role.added",
    ...projectAggregate(project),
    sequence,
    payload: { roleKey, displayName, roleGroup },
  });
  return { ...added, sequence };
}
