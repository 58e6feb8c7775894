import { countUpTo, list, type Reader, rowLock, type Sql, sql, type Tx, text } from "../../database/index.ts";
import type { Authorization, AuthorizationState, AuthorizationsOf } from "./authorization.ts";
import { listRoleKeys } from "./authorization-role.store.ts";

const columns =
  text(`authorization_id as "authorizationId", user_id as "userId", group_id as "groupId", project_id as "projectId",
  organization_id as "organizationId", project_grant_id as "projectGrantId", state as "state", sequence as "sequence",
  created_at as "createdAt", changed_at as "changedAt"`);

interface Row {
  readonly authorizationId: string;
  readonly userId: string;
  readonly groupId: string;
  readonly projectId: string;
  readonly organizationId: string;
  /** Empty when the organization owns the project. */
  readonly projectGrantId: string;
  readonly state: AuthorizationState;
  readonly sequence: number;
  readonly createdAt: number;
  readonly changedAt: number;
}

export async function findAuthorization(
  reader: Reader,
  instanceId: string,
  authorizationId: string,
): Promise<Authorization | undefined> {
  return first(await listAuthorizationsById(reader, instanceId, [authorizationId]));
}

/** Lists the role assignments with these ids; ids without an assignment are skipped. */
export async function listAuthorizationsById(
  reader: Reader,
  instanceId: string,
  authorizationIds: readonly string[],
): Promise<Authorization[]> {
  return selectById(reader, instanceId, authorizationIds, text(""));
}

/** Returns the role assignment, locked until the unit of work ends. Lock its project before. */
export async function holdAuthorization(tx: Tx, authorizationId: string): Promise<Authorization | undefined> {
  return first(await holdAuthorizations(tx, [authorizationId]));
}

/**
 * Lists the role assignments with these ids, locked until the unit of work ends; ids without an assignment are skipped.
 * Lock their projects before.
 */
export async function holdAuthorizations(tx: Tx, authorizationIds: readonly string[]): Promise<Authorization[]> {
  return selectById(tx, tx.instanceId, authorizationIds, rowLock(tx, "alone"));
}

/** Inserts the assignment; undefined when the user or group has such an assignment already. */
export async function insertAuthorization(
  tx: Tx,
  authorization: Omit<Authorization, "state" | "roleKeys" | "details"> & {
    /** The organization of the user; empty for a group. */
    readonly userOrganizationId: string;
  },
): Promise<Authorization | undefined> {
  const { authorizationId, userId, groupId, projectId, organizationId, projectGrantId = "" } = authorization;
  const row =
    await tx.maybe<Row>(sql`insert into authorizations (instance_id, authorization_id, user_id, group_id, project_id,
      organization_id, project_grant_id, state, sequence, created_at, changed_at, user_organization_id)
    values (${tx.instanceId}, ${authorizationId}, ${userId}, ${groupId}, ${projectId}, ${organizationId}, ${projectGrantId}, 'active',
      1, ${tx.now}, ${tx.now}, ${authorization.userOrganizationId})
    on conflict do nothing returning ${columns}`);
  return row && toAuthorization(row, []);
}

/** Sets the state, unless the role assignment has it already. */
export async function updateAuthorizationState(
  tx: Tx,
  authorizationId: string,
  state: AuthorizationState,
): Promise<Authorization | undefined> {
  const condition = sql`authorization_id = ${authorizationId} and state <> ${state}`;
  return first(await updateAuthorizations(tx, sql`state = ${state},`, condition));
}

/** Counts a change of the roles of an assignment. */
export async function advanceAuthorization(tx: Tx, authorizationId: string): Promise<Authorization | undefined> {
  return first(await updateAuthorizations(tx, text(""), sql`authorization_id = ${authorizationId}`));
}

/** Counts a change of the roles of assignments. Returns them with the roles they have. */
export const advanceAuthorizations = (tx: Tx, authorizationIds: readonly string[]): Promise<Authorization[]> =>
  updateAuthorizations(tx, text(""), sql`authorization_id in ${list(authorizationIds)}`);

/** Lists the ids of role assignments that have at least one of the roles, locked; at most `limit`. */
export async function listAuthorizationIdsWithRoles(
  tx: Tx,
  of: AuthorizationsOf,
  { roleKeys, limit }: { readonly roleKeys: readonly string[]; readonly limit: number },
): Promise<string[]> {
  const rows = await tx.all<{ authorizationId: string }>(sql`select authorization_id as "authorizationId"
    from authorizations where ${hasRoles(tx, of, roleKeys)}
    order by authorization_id limit ${limit} ${rowLock(tx, "alone")}`);
  return rows.map(({ authorizationId }) => authorizationId);
}

/** Counts role assignments that have at least one of the roles, up to one more than a number. */
export async function countAuthorizationsWithRoles(
  tx: Tx,
  of: AuthorizationsOf,
  { roleKeys, most }: { readonly roleKeys: readonly string[]; readonly most: number },
): Promise<number> {
  if (roleKeys.length === 0) return 0;
  return countUpTo(tx, { from: text("authorizations"), instance: hasRoles(tx, of, roleKeys) }, most);
}

const hasRoles = ({ instanceId }: Tx, of: AuthorizationsOf, roleKeys: readonly string[]): Sql =>
  sql`instance_id = ${instanceId} and ${toCondition(of)}
    and exists (select 1 from authorization_roles r where r.instance_id = ${instanceId}
      and r.authorization_id = authorizations.authorization_id and r.role_key in ${list(roleKeys)})`;

/** Lists the ids of role assignments; at most `limit`. */
export async function listAuthorizationIds(
  tx: Tx,
  of: AuthorizationsOf | { readonly userIds: readonly string[] },
  limit: number,
): Promise<string[]> {
  const condition = "userIds" in of ? sql`user_id in ${list(of.userIds)}` : toCondition(of);
  const rows = await tx.all<{ authorizationId: string }>(sql`select authorization_id as "authorizationId"
    from authorizations where instance_id = ${tx.instanceId} and ${condition}
    order by authorization_id limit ${limit} ${rowLock(tx, "alone")}`);
  return rows.map(({ authorizationId }) => authorizationId);
}

/** Deletes role assignments with their roles. Returns each as it was, with the sequence of its deletion. */
export async function deleteAuthorizations(tx: Tx, authorizationIds: readonly string[]): Promise<Authorization[]> {
  const condition = sql`authorization_id in ${list(authorizationIds)}`;
  const gone = await updateAuthorizations(tx, text(""), condition);
  await tx.run(sql`delete from authorization_roles where instance_id = ${tx.instanceId} and ${condition}`);
  await tx.run(sql`delete from authorizations where instance_id = ${tx.instanceId} and ${condition}`);
  return gone;
}

function toCondition(of: AuthorizationsOf): Sql {
  if ("userId" in of) return sql`user_id = ${of.userId}`;
  if ("groupId" in of) return sql`group_id = ${of.groupId}`;
  if ("projectId" in of) return sql`project_id = ${of.projectId}`;
  if ("projectGrantId" in of) return sql`project_grant_id = ${of.projectGrantId}`;
  return sql`organization_id = ${of.organizationId}`;
}

async function selectById(
  reader: Reader,
  instanceId: string,
  authorizationIds: readonly string[],
  lock: Sql,
): Promise<Authorization[]> {
  const rows = await reader.all<Row>(sql`select ${columns} from authorizations
    where instance_id = ${instanceId} and authorization_id in ${list(authorizationIds)} order by authorization_id ${lock}`);
  return completeAll(reader, instanceId, rows);
}

async function updateAuthorizations(tx: Tx, assignments: Sql, condition: Sql): Promise<Authorization[]> {
  const rows = await tx.all<Row>(sql`update authorizations
    set ${assignments} sequence = sequence + 1, changed_at = ${tx.now}
    where instance_id = ${tx.instanceId} and ${condition} returning ${columns}`);
  return completeAll(tx, tx.instanceId, rows);
}

async function completeAll(reader: Reader, instanceId: string, rows: readonly Row[]): Promise<Authorization[]> {
  const ids = rows.map(({ authorizationId }) => authorizationId);
  const roleKeys = await listRoleKeys(reader, instanceId, ids);
  return rows.map((row) => toAuthorization(row, roleKeys.get(row.authorizationId) ?? []));
}

function toAuthorization(row: Row, roleKeys: readonly string[]): Authorization {
  const { projectGrantId, sequence, createdAt, changedAt, ...rest } = row;
  return {
    ...rest,
    projectGrantId: projectGrantId === "" ? undefined : projectGrantId,
    roleKeys,
    details: { sequence, createdAt, changedAt, ownerId: row.organizationId },
  };
}

const first = (authorizations: readonly Authorization[]): Authorization | undefined => authorizations[0];
