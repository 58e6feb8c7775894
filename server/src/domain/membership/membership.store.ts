import { join, list, rowLock, sql, type Tx } from "../../database/index.ts";
import type { AdministratorScope, Membership, MembershipLevel } from "../administrator-access/index.ts";
import { type MemberRoles, type MembershipRow, toMembership } from "./membership-row.ts";

/**
 * Returns a position, locked until the unit of work ends: of acceptance, change and withdrawal at once, each sees what
 * the one before it left.
 */
export async function holdMembership(
  tx: Tx,
  scope: AdministratorScope,
  userId: string,
): Promise<Membership | undefined> {
  const row = await tx.maybe<MembershipRow>(sql`select sequence, created_at as "createdAt", changed_at as "changedAt"
    from memberships where instance_id = ${tx.instanceId} and level = ${scope.level}
      and resource_id = ${scope.resourceId} and user_id = ${userId} ${rowLock(tx, "alone")}`);
  return row && toMembership(scope, { ...row, userId, ...(await findRoles(tx, scope, userId)) });
}

/** Whether a user has a position, or is offered it. */
export async function hasMembership(tx: Tx, scope: AdministratorScope, userId: string): Promise<boolean> {
  const row = await tx.maybe(sql`select 1 as "found" from memberships where instance_id = ${tx.instanceId}
    and level = ${scope.level} and resource_id = ${scope.resourceId} and user_id = ${userId}`);
  return row !== undefined;
}

/** Removes an administrator and returns the sequence of the removal. */
export async function deleteMembership(tx: Tx, scope: AdministratorScope, userId: string): Promise<number | undefined> {
  // The row first: an acceptance that holds it is waited for, and what it gave is taken too.
  const row = await tx.maybe<{ sequence: number }>(sql`delete from memberships
    where instance_id = ${tx.instanceId} and level = ${scope.level} and resource_id = ${scope.resourceId}
      and user_id = ${userId} returning sequence + 1 as "sequence"`);
  await deleteRoles(tx, scope, userId);
  return row?.sequence;
}

/** Counts the positions that an organization has offered to a user, who has not answered yet. */
export async function countOffers(
  tx: Tx,
  { ownerId }: Pick<AdministratorScope, "ownerId">,
  userId: string,
): Promise<number> {
  const row = await tx.maybe<{ count: number }>(sql`select count(*) as "count" from memberships m
    where m.instance_id = ${tx.instanceId} and m.user_id = ${userId} and m.organization_id = ${ownerId}
      and exists (select 1 from pending_membership_roles p where p.instance_id = ${tx.instanceId} and p.user_id = m.user_id
        and p.level = m.level and p.resource_id = m.resource_id)`);
  return row?.count ?? 0;
}

/** Lists administrators of a resource; at most `limit`. */
export async function listMemberIds(tx: Tx, scope: AdministratorScope, limit: number): Promise<string[]> {
  const rows = await tx.all<{ userId: string }>(sql`select user_id as "userId" from memberships
    where instance_id = ${tx.instanceId} and level = ${scope.level} and resource_id = ${scope.resourceId}
    order by user_id limit ${limit}`);
  return rows.map(({ userId }) => userId);
}

/** Counts the active users with a role at the instance level, excluding the given ones. */
export async function countOtherHolders(tx: Tx, role: string, userIds: readonly string[]): Promise<number> {
  const row = await tx.maybe<{ count: number }>(sql`select count(*) as "count" from membership_roles m
    join users u on u.instance_id = m.instance_id and u.user_id = m.user_id and u.state = 'active'
    join organizations o on o.instance_id = u.instance_id and o.organization_id = u.organization_id and o.state = 'active'
    where m.instance_id = ${tx.instanceId} and m.level = 'instance' and m.role = ${role}
      and m.user_id not in ${list(userIds)}`);
  return row?.count ?? 0;
}

/** Lists the roles that users of an organization hold at the instance. */
export function listInstanceRolesAtHome(
  tx: Tx,
  organizationId: string,
): Promise<{ readonly userId: string; readonly role: string }[]> {
  return tx.all(sql`select m.user_id as "userId", m.role from membership_roles m
    join users u on u.instance_id = m.instance_id and u.user_id = m.user_id and u.organization_id = ${organizationId}
    where m.instance_id = ${tx.instanceId} and m.level = 'instance' order by m.user_id, m.role`);
}

/** Finds the roles of a user in a scope, as they are now. */
export async function findRoles(
  tx: Tx,
  scope: AdministratorScope,
  userId: string,
): Promise<Omit<MemberRoles, "userId">> {
  const rows = await tx.all<{ role: string; isPending: number }>(sql`select role, 0 as "isPending" from membership_roles
    where instance_id = ${tx.instanceId} and user_id = ${userId} and level = ${scope.level}
      and resource_id = ${scope.resourceId}
    union all select role, 1 from pending_membership_roles
    where instance_id = ${tx.instanceId} and user_id = ${userId} and level = ${scope.level}
      and resource_id = ${scope.resourceId} order by role`);
  const of = (isPending: number): string[] => rows.filter((row) => row.isPending === isPending).map(({ role }) => role);
  return { roles: of(0), pendingRoles: of(1) };
}

/** Deletes the roles of an administrator, including those that wait for acceptance. */
export async function deleteRoles(tx: Tx, scope: AdministratorScope, userId: string): Promise<void> {
  await tx.run(sql`delete from membership_roles where instance_id = ${tx.instanceId} and user_id = ${userId}
    and level = ${scope.level} and resource_id = ${scope.resourceId}`);
  await tx.run(sql`delete from pending_membership_roles where instance_id = ${tx.instanceId} and user_id = ${userId}
    and level = ${scope.level} and resource_id = ${scope.resourceId}`);
}

/** A position of a user. */
export interface HeldPosition {
  readonly userId: string;
  readonly level: MembershipLevel;
  readonly resourceId: string;
}

// Both engines accept some ten thousand parameters per statement; a position has three.
const positionsPerStatement = 1000;

/** Removes positions with their roles. Returns those that existed, with the sequences of the removals. */
export async function deleteMemberships(
  tx: Tx,
  positions: readonly HeldPosition[],
): Promise<(HeldPosition & { readonly organizationId: string; readonly sequence: number })[]> {
  const deleted: Awaited<ReturnType<typeof deleteMemberships>> = [];
  for (let start = 0; start < positions.length; start += positionsPerStatement) {
    const some = positions.slice(start, start + positionsPerStatement);
    const named = sql`instance_id = ${tx.instanceId} and user_id in ${list([...new Set(some.map(({ userId }) => userId))])}
      and (level, resource_id, user_id) in (values ${join(
        some.map(({ level, resourceId, userId }) => sql`(${level}, ${resourceId}, ${userId})`),
        ", ",
      )})`;
    // The rows first: an acceptance that holds one is waited for, and what it gave is taken too.
    const rows: typeof deleted = await tx.all(sql`delete from memberships where ${named}
      returning user_id as "userId", level, resource_id as "resourceId", organization_id as "organizationId",
        sequence + 1 as "sequence"`);
    await tx.run(sql`delete from membership_roles where ${named}`);
    await tx.run(sql`delete from pending_membership_roles where ${named}`);
    deleted.push(...rows);
  }
  return deleted;
}

/** Lists the positions of the users at the instance, and whether they make them its owners. */
export function listInstanceMemberships(
  tx: Tx,
  userIds: readonly string[],
): Promise<(HeldPosition & { readonly isOwner: number })[]> {
  return tx.all(sql`select m.user_id as "userId", m.level, m.resource_id as "resourceId",
      case when r.role is null then 0 else 1 end as "isOwner"
    from memberships m left join membership_roles r on r.instance_id = m.instance_id and r.level = m.level
      and r.resource_id = m.resource_id and r.user_id = m.user_id and r.role = 'IAM_OWNER'
    where m.instance_id = ${tx.instanceId} and m.user_id in ${list(userIds)} and m.level = 'instance'`);
}

/** Lists the other positions of the users; at most `limit`. */
export function listMembershipsBelowInstance(
  tx: Tx,
  userIds: readonly string[],
  limit: number,
): Promise<HeldPosition[]> {
  return tx.all(sql`select user_id as "userId", level, resource_id as "resourceId" from memberships
    where instance_id = ${tx.instanceId} and user_id in ${list(userIds)} and level <> 'instance'
    order by user_id, level, resource_id limit ${limit}`);
}

/** Counts the resources, besides the instance, where a user has roles that are in effect; at most `limit`. */
export async function countPositions(tx: Tx, userId: string, limit: number): Promise<number> {
  const row = await tx.maybe<{ count: number }>(sql`select count(*) as "count" from (
      select 1 from membership_roles where instance_id = ${tx.instanceId} and user_id = ${userId} and level <> 'instance'
      group by level, resource_id limit ${limit}) positions`);
  return row?.count ?? 0;
}

/** Lists the positions of a user that the user accepted. */
export function listAcceptedMemberships(tx: Tx, userId: string): Promise<HeldPosition[]> {
  return tx.all(sql`select user_id as "userId", level, resource_id as "resourceId" from memberships
    where instance_id = ${tx.instanceId} and user_id = ${userId} and accepted_at is not null`);
}
