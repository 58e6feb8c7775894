import { Fault } from "../../base/fault.ts";
import { isName } from "../../base/names/name.ts";
import type { Call } from "../../call/index.ts";
import type { Database, Details, Tx } from "../../database/index.ts";
import { holdAuthorizedProject } from "./authorize-project.ts";
import { advanceProject } from "./project.store.ts";
import { type Project, projectAggregate } from "./project.ts";
import { insertProjectRoles, listExistingRoleKeys } from "./project-role.store.ts";
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
    const [added] = await addRoles(tx, project, [role], () => "");
    if (added === undefined) throw new Error(`role ${role.roleKey} was not added`);
    return { ...added, details: roleDetails(added, project) };
  });
}

/** Returns the project, locked exclusively, if the caller may change its roles. */
export const holdProjectForRoles = (tx: Tx, projectId: string): Promise<Project> =>
  holdAuthorizedProject(tx, projectId, "project.role.write");

/**
 * Step: defines roles of a project that is locked exclusively, all or none. `prefixOf` returns the position of a role
 * in the request.
 */
export async function addRoles(
  tx: Tx,
  project: Project,
  roles: readonly RoleToAdd[],
  prefixOf: (index: number) => string,
): Promise<ProjectRole[]> {
  if (roles.length === 0) return [];
  const { projectId } = project;
  const wanted = roles.map((role, index) => checkRole(project, role, prefixOf(index)));
  // Before anything is written, so that a refusal costs little.
  const taken = await listExistingRoleKeys(
    tx,
    tx.instanceId,
    projectId,
    roles.map(({ roleKey }) => roleKey),
  );
  for (const [index, { roleKey }] of wanted.entries()) {
    if (taken.has(roleKey))
      throw new Fault("already_exists", "project.role_taken", { field: keyField(prefixOf(index)) });
    taken.add(roleKey);
  }
  await insertProjectRoles(tx, wanted);
  const before = (await advanceProject(tx, projectId, wanted.length)) - wanted.length;
  return wanted.map((role, index) => {
    const { roleKey, displayName, roleGroup } = role;
    const sequence = before + index + 1;
    const payload = { roleKey, displayName, roleGroup };
    tx.record({ type: "project.role.added", ...projectAggregate(project), sequence, payload });
    return { ...role, createdAt: tx.now, changedAt: tx.now, sequence };
  });
}

function checkRole({ projectId }: Project, role: RoleToAdd, prefix: string) {
  if (!isName(role.roleKey)) {
    throw new Fault("invalid_argument", "project.role_key_invalid", { field: keyField(prefix) });
  }
  const wanted = { roleGroup: "", ...role, projectId };
  checkProjectRole(wanted, prefix);
  return wanted;
}

const keyField = (prefix: string): string => (prefix === "" ? "roleKey" : `${prefix}key`);
