import { inTurn, list, type Reader, rowLock, sql, type Tx, takeTurns, text } from "../../database/index.ts";
import type { PrivateLabeling, Project, ProjectSettings, ProjectState } from "./project.ts";

/** Columns of a row of projects (without alias), named for `toProject`. */
export const projectColumns = text(`projects.project_id as "projectId", projects.organization_id as "organizationId",
  projects.name as "name", projects.state as "state", projects.is_role_assertion_on as "isRoleAssertionOn",
  projects.is_authorization_required as "isAuthorizationRequired",
  projects.is_project_access_required as "isProjectAccessRequired", projects.private_labeling as "privateLabeling",
  projects.sequence as "sequence", projects.created_at as "createdAt", projects.changed_at as "changedAt"`);

export interface ProjectRow {
  readonly projectId: string;
  readonly organizationId: string;
  readonly name: string;
  readonly state: ProjectState;
  readonly isRoleAssertionOn: number;
  readonly isAuthorizationRequired: number;
  readonly isProjectAccessRequired: number;
  readonly privateLabeling: PrivateLabeling;
  readonly sequence: number;
  readonly createdAt: number;
  readonly changedAt: number;
}

/** Finds the project with this id, in any state. */
export async function findProject(reader: Reader, instanceId: string, projectId: string): Promise<Project | undefined> {
  const row = await reader.maybe<ProjectRow>(sql`select ${projectColumns} from projects
    where instance_id = ${instanceId} and project_id = ${projectId}`);
  return row && toProject(row);
}

/**
 * Returns the project, locked until the unit of work ends: the project, its roles and its grants cannot change in the
 * meantime. With `share`, other units of work can hold it in the same way. SQLite has one writer, so there every hold
 * is exclusive.
 */
export async function holdProject(tx: Tx, projectId: string, hold: "share" | "alone"): Promise<Project | undefined> {
  const row = await tx.maybe<ProjectRow>(sql`select ${projectColumns} from projects
    where instance_id = ${tx.instanceId} and project_id = ${projectId}
    ${inTurn(tx, hold, "project", projectId)} ${rowLock(tx, hold)}`);
  return row && toProject(row);
}

/** Locks projects in their order, and shares them with other units of work. Returns the ids of those that exist. */
export async function shareProjects(tx: Tx, projectIds: readonly string[]): Promise<Set<string>> {
  const ordered = [...new Set(projectIds)].sort();
  takeTurns(tx, "share", "project", ordered);
  const rows = await tx.all<{ projectId: string }>(sql`select project_id as "projectId" from projects
    where instance_id = ${tx.instanceId} and project_id in ${list(ordered)} order by project_id ${rowLock(tx, "share")}`);
  return new Set(rows.map(({ projectId }) => projectId));
}

/** Returns projects of an organization, locked exclusively one after another; at most `limit`. */
export async function holdProjectsOfOrganization(tx: Tx, organizationId: string, limit: number): Promise<Project[]> {
  const rows = await tx.all<{ projectId: string }>(sql`select project_id as "projectId" from projects
    where instance_id = ${tx.instanceId} and organization_id = ${organizationId}
    order by created_at, project_id limit ${limit}`);
  const held: Project[] = [];
  for (const { projectId } of rows) {
    const project = await holdProject(tx, projectId, "alone");
    if (project !== undefined) held.push(project);
  }
  return held;
}

/** Inserts a project. Returns undefined when the id or the name is taken. */
export async function insertProject(
  tx: Tx,
  project: ProjectSettings & {
    projectId: string;
    organizationId: string;
    name: string;
    nameKey: string;
    sequence: number;
  },
): Promise<Project | undefined> {
  const row =
    await tx.maybe<ProjectRow>(sql`insert into projects (instance_id, project_id, organization_id, name, name_key,
      state, is_role_assertion_on, is_authorization_required, is_project_access_required, private_labeling,
      sequence, created_at, changed_at)
    values (${tx.instanceId}, ${project.projectId}, ${project.organizationId}, ${project.name}, ${project.nameKey},
      'active', ${project.isRoleAssertionOn}, ${project.isAuthorizationRequired}, ${project.isProjectAccessRequired},
      ${project.privateLabeling}, ${project.sequence}, ${tx.now}, ${tx.now})
    on conflict do nothing returning ${projectColumns}`);
  return row && toProject(row);
}

/** Replaces name and settings. Returns undefined when the project is absent. */
export async function updateProjectRow(
  tx: Tx,
  project: ProjectSettings & { projectId: string; name: string; nameKey: string },
): Promise<Project | undefined> {
  const row = await tx.maybe<ProjectRow>(sql`update projects set name = ${project.name}, name_key = ${project.nameKey},
      is_role_assertion_on = ${project.isRoleAssertionOn}, is_authorization_required = ${project.isAuthorizationRequired},
      is_project_access_required = ${project.isProjectAccessRequired}, private_labeling = ${project.privateLabeling},
      sequence = sequence + 1, changed_at = ${tx.now}
    where instance_id = ${tx.instanceId} and project_id = ${project.projectId}
    ${inTurn(tx, "alone", "project", project.projectId)} returning ${projectColumns}`);
  return row && toProject(row);
}

/** Sets the state. Returns undefined when the project is absent or already has the state. */
export async function updateProjectState(tx: Tx, projectId: string, state: ProjectState): Promise<Project | undefined> {
  const row =
    await tx.maybe<ProjectRow>(sql`update projects set state = ${state}, sequence = sequence + 1, changed_at = ${tx.now}
    where instance_id = ${tx.instanceId} and project_id = ${projectId} and state <> ${state}
    ${inTurn(tx, "alone", "project", projectId)} returning ${projectColumns}`);
  return row && toProject(row);
}

/** Returns the next sequence of the project, for a change of something that is part of it; the last of `count`. */
export async function advanceProject(tx: Tx, projectId: string, count = 1): Promise<number> {
  const row = await tx.maybe<{ sequence: number }>(sql`update projects set sequence = sequence + ${count}
    where instance_id = ${tx.instanceId} and project_id = ${projectId}
    ${inTurn(tx, "alone", "project", projectId)} returning sequence`);
  if (row === undefined) throw new Error(`project ${projectId} went away while it was held`);
  return row.sequence;
}

/** Deletes the rows of the project and its roles, and returns the sequence of the deletion. */
export async function deleteProjectRow(tx: Tx, projectId: string): Promise<number | undefined> {
  await tx.run(sql`delete from project_roles where instance_id = ${tx.instanceId} and project_id = ${projectId}`);
  const row = await tx.maybe<{ sequence: number }>(sql`delete from projects
    where instance_id = ${tx.instanceId} and project_id = ${projectId}
    ${inTurn(tx, "alone", "project", projectId)} returning sequence + 1 as "sequence"`);
  return row?.sequence;
}

export function toProject(row: ProjectRow): Project {
  return {
    projectId: row.projectId,
    organizationId: row.organizationId,
    name: row.name,
    state: row.state,
    isRoleAssertionOn: row.isRoleAssertionOn === 1,
    isAuthorizationRequired: row.isAuthorizationRequired === 1,
    isProjectAccessRequired: row.isProjectAccessRequired === 1,
    privateLabeling: row.privateLabeling,
    details: {
      sequence: row.sequence,
      createdAt: row.createdAt,
      changedAt: row.changedAt,
      ownerId: row.organizationId,
    },
  };
}
