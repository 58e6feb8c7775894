import { countUpTo, join, list, type Reader, sql, type Tx, text } from "../../database/index.ts";
import type { ProjectRole } from "./project-role.ts";

type StoredRole = Omit<ProjectRole, "sequence">;
type WrittenRole = Omit<StoredRole, "createdAt" | "changedAt">;

const columns = text(`project_id as "projectId", role_key as "roleKey", display_name as "displayName",
  role_group as "roleGroup", created_at as "createdAt", changed_at as "changedAt"`);

export async function findProjectRole(
  reader: Reader,
  instanceId: string,
  role: { readonly projectId: string; readonly roleKey: string },
): Promise<StoredRole | undefined> {
  return reader.maybe<StoredRole>(sql`select ${columns} from project_roles
    where instance_id = ${instanceId} and project_id = ${role.projectId} and role_key = ${role.roleKey}`);
}

/** Returns which of the keys are roles of the project. */
export async function listExistingRoleKeys(
  reader: Reader,
  instanceId: string,
  projectId: string,
  roleKeys: readonly string[],
): Promise<Set<string>> {
  const rows = await reader.all<{ roleKey: string }>(sql`select role_key as "roleKey" from project_roles
    where instance_id = ${instanceId} and project_id = ${projectId} and role_key in ${list(roleKeys)}`);
  return new Set(rows.map(({ roleKey }) => roleKey));
}

/** Whether a project has more than so many roles. */
export async function hasMoreRoles(tx: Tx, projectId: string, most: number): Promise<boolean> {
  const instance = sql`instance_id = ${tx.instanceId} and project_id = ${projectId}`;
  return (await countUpTo(tx, { from: text("project_roles"), instance }, most)) > most;
}

/** Inserts roles whose keys are new in the project. */
export async function insertProjectRoles(tx: Tx, roles: readonly WrittenRole[]): Promise<void> {
  const rows = roles.map(
    (role) => sql`(${tx.instanceId}, ${role.projectId}, ${role.roleKey}, ${role.displayName}, ${role.roleGroup},
      ${tx.now}, ${tx.now})`,
  );
  await tx.run(sql`insert into project_roles (instance_id, project_id, role_key, display_name, role_group, created_at,
    changed_at) values ${join(rows, ", ")}`);
}

export async function updateProjectRoleRow(tx: Tx, role: WrittenRole): Promise<void> {
  await tx.run(sql`update project_roles
    set display_name = ${role.displayName}, role_group = ${role.roleGroup}, changed_at = ${tx.now}
    where instance_id = ${tx.instanceId} and project_id = ${role.projectId} and role_key = ${role.roleKey}`);
}

/** Deletes a role of the project. Returns false when the project has no role with this key. */
export async function deleteProjectRoleRow(tx: Tx, projectId: string, roleKey: string): Promise<boolean> {
  const count = await tx.run(sql`delete from project_roles
    where instance_id = ${tx.instanceId} and project_id = ${projectId} and role_key = ${roleKey}`);
  return count > 0;
}
