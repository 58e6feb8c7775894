import { countUpTo, list, type Reader, rowLock, type Sql, sql, type Tx, takeTurn, text } from "../../database/index.ts";
import type { ProjectGrant, ProjectGrantReference, ProjectGrantState } from "./project-grant.ts";
import { listGrantRoleKeys } from "./project-grant-role.store.ts";

const columns = text(`grant_id as "grantId", project_id as "projectId", organization_id as "organizationId",
  granted_organization_id as "grantedOrganizationId", state as "state", is_recognized as "isRecognized", sequence as "sequence",
  created_at as "createdAt", changed_at as "changedAt"`);

interface Row {
  readonly grantId: string;
  readonly projectId: string;
  readonly organizationId: string;
  readonly grantedOrganizationId: string;
  readonly state: ProjectGrantState;
  readonly isRecognized: number;
  readonly sequence: number;
  readonly createdAt: number;
  readonly changedAt: number;
}

/** Finds the grant that the reference names. */
export async function findProjectGrant(
  reader: Reader,
  instanceId: string,
  reference: ProjectGrantReference,
): Promise<ProjectGrant | undefined> {
  const which =
    "grantId" in reference
      ? sql`grant_id = ${reference.grantId}`
      : sql`granted_organization_id = ${reference.grantedOrganizationId}`;
  return complete(
    reader,
    instanceId,
    await reader.maybe<Row>(sql`select ${columns} from project_grants
    where instance_id = ${instanceId} and project_id = ${reference.projectId} and ${which}`),
  );
}

/** Returns the grant with this id, locked until the unit of work ends. */
export async function holdProjectGrant(tx: Tx, grantId: string): Promise<ProjectGrant | undefined> {
  return complete(
    tx,
    tx.instanceId,
    await tx.maybe<Row>(sql`select ${columns} from project_grants
    where instance_id = ${tx.instanceId} and grant_id = ${grantId} ${rowLock(tx, "share")}`),
  );
}

/** Lists all grants of a project. */
export async function listGrantsOfProject(tx: Tx, projectId: string, limit: number): Promise<ProjectGrant[]> {
  const { instanceId } = tx;
  const rows = await tx.all<Row>(sql`select ${columns} from project_grants
    where instance_id = ${instanceId} and project_id = ${projectId} order by created_at, grant_id limit ${limit}`);
  return completeAll(tx, instanceId, rows);
}

/** Lists grants that lend projects to an organization; at most `limit`. */
export async function listGrantsToOrganization(tx: Tx, organizationId: string, limit: number): Promise<ProjectGrant[]> {
  const { instanceId } = tx;
  const rows = await tx.all<Row>(sql`select ${columns} from project_grants
    where instance_id = ${instanceId} and granted_organization_id = ${organizationId} order by project_id limit ${limit}`);
  return completeAll(tx, instanceId, rows);
}

/**
 * Counts the grants of an owner to an organization that has not recognized them, up to a number. The unit has its turn
 * until it ends, so that no other one counts meanwhile.
 */
export function countUnrecognizedGrants(
  tx: Tx,
  { organizationId, grantedOrganizationId }: Pick<ProjectGrant, "organizationId" | "grantedOrganizationId">,
  most: number,
): Promise<number> {
  takeTurn(tx, "alone", "grants between organizations", `${organizationId}/${grantedOrganizationId}`);
  const instance = sql`instance_id = ${tx.instanceId} and organization_id = ${organizationId}
    and granted_organization_id = ${grantedOrganizationId} and is_recognized = 0`;
  return countUpTo(tx, { from: text("project_grants"), instance }, most - 1);
}

/** Inserts a grant. Returns undefined when the organization already has a grant of the project. */
export async function insertProjectGrant(
  tx: Tx,
  grant: { grantId: string; projectId: string; organizationId: string; grantedOrganizationId: string },
): Promise<ProjectGrant | undefined> {
  const row = await tx.maybe<Row>(sql`insert into project_grants (instance_id, grant_id, project_id, organization_id,
      granted_organization_id, state, is_recognized, sequence, created_at, changed_at)
    values (${tx.instanceId}, ${grant.grantId}, ${grant.projectId}, ${grant.organizationId},
      ${grant.grantedOrganizationId}, 'active', 0, 1, ${tx.now}, ${tx.now})
    on conflict do nothing returning ${columns}`);
  return row && toProjectGrant(row, []);
}

/**
 * Sets the state, and forgets who recognized the grant. Returns undefined when the grant is absent, or is like that
 * already.
 */
export async function updateProjectGrantState(
  tx: Tx,
  grantId: string,
  { state, isForgotten }: { readonly state: ProjectGrantState; readonly isForgotten: boolean },
): Promise<ProjectGrant | undefined> {
  const assignments = isForgotten ? sql`state = ${state}, is_recognized = 0,` : sql`state = ${state},`;
  const differs = isForgotten ? sql`(state <> ${state} or is_recognized = 1)` : sql`state <> ${state}`;
  return updateGrants(tx, assignments, sql`grant_id = ${grantId} and ${differs}`).then(first);
}

/** Marks a grant as recognized by the organization that the project is lent to. */
export async function markGrantRecognized(tx: Tx, grantId: string): Promise<void> {
  await tx.run(sql`update project_grants set is_recognized = 1
    where instance_id = ${tx.instanceId} and grant_id = ${grantId} and is_recognized = 0`);
}

/** Counts a change of the roles of a grant. */
export async function advanceProjectGrant(tx: Tx, grantId: string): Promise<ProjectGrant | undefined> {
  return updateGrants(tx, text(""), sql`grant_id = ${grantId}`).then(first);
}

/** Counts a change of the roles of grants. */
export const advanceProjectGrants = (tx: Tx, grantIds: readonly string[]): Promise<ProjectGrant[]> =>
  updateGrants(tx, text(""), sql`grant_id in ${list(grantIds)}`);

/** Lists the ids of grants of a project that lend a role; at most `limit`. */
export async function listGrantIdsWithRole(
  tx: Tx,
  { limit, ...of }: RoleOfProject & { readonly limit: number },
): Promise<string[]> {
  const rows = await tx.all<{ grantId: string }>(sql`select grant_id as "grantId" from project_grants
    where ${lendsRole(tx, of)} order by granted_organization_id limit ${limit}`);
  return rows.map(({ grantId }) => grantId);
}

/** Counts the grants of a project that lend a role, up to one more than a number. */
export const countGrantsWithRole = (tx: Tx, of: RoleOfProject, most: number): Promise<number> =>
  countUpTo(tx, { from: text("project_grants"), instance: lendsRole(tx, of) }, most);

interface RoleOfProject {
  readonly projectId: string;
  readonly roleKey: string;
}

const lendsRole = ({ instanceId }: Tx, { projectId, roleKey }: RoleOfProject): Sql =>
  sql`instance_id = ${instanceId} and project_id = ${projectId}
    and exists (select 1 from project_grant_roles r where r.instance_id = ${instanceId}
      and r.grant_id = project_grants.grant_id and r.role_key = ${roleKey})`;

/** Deletes a grant with its roles, and returns the sequence of the deletion. */
export async function deleteProjectGrantRow(tx: Tx, grantId: string): Promise<number | undefined> {
  await tx.run(sql`delete from project_grant_roles where instance_id = ${tx.instanceId} and grant_id = ${grantId}`);
  const row = await tx.maybe<{ sequence: number }>(sql`delete from project_grants
    where instance_id = ${tx.instanceId} and grant_id = ${grantId} returning sequence + 1 as "sequence"`);
  return row?.sequence;
}

async function updateGrants(tx: Tx, assignments: Sql, condition: Sql): Promise<ProjectGrant[]> {
  const rows = await tx.all<Row>(sql`update project_grants
    set ${assignments} sequence = sequence + 1, changed_at = ${tx.now}
    where instance_id = ${tx.instanceId} and ${condition} returning ${columns}`);
  return completeAll(tx, tx.instanceId, rows);
}

async function complete(reader: Reader, instanceId: string, row: Row | undefined): Promise<ProjectGrant | undefined> {
  return row && first(await completeAll(reader, instanceId, [row]));
}

async function completeAll(reader: Reader, instanceId: string, rows: readonly Row[]): Promise<ProjectGrant[]> {
  const grants: ProjectGrant[] = [];
  // Of very many roles, those of the first grants are read at a time.
  while (grants.length < rows.length) {
    const left = rows.slice(grants.length);
    const ids = left.map(({ grantId }) => grantId);
    const roleKeys = await listGrantRoleKeys(reader, instanceId, ids);
    for (const row of left.slice(0, roleKeys.size)) grants.push(toProjectGrant(row, roleKeys.get(row.grantId) ?? []));
  }
  return grants;
}

function toProjectGrant(row: Row, roleKeys: readonly string[]): ProjectGrant {
  const { sequence, createdAt, changedAt, isRecognized, ...rest } = row;
  return {
    ...rest,
    isRecognized: isRecognized === 1,
    roleKeys,
    details: { sequence, createdAt, changedAt, ownerId: row.organizationId },
  };
}

const first = (grants: readonly ProjectGrant[]): ProjectGrant | undefined => grants[0];
