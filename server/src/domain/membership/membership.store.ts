import { firstSequence, list, sql, type Tx } from "../../database/index.ts";
import type { Membership, Place } from "./membership.ts";
import type { MembershipLevel } from "./roles.ts";

interface Row {
  readonly sequence: number;
  readonly createdAt: number;
  readonly changedAt: number;
}

type Where = Pick<Place, "level" | "resourceId" | "ownerId">;

export async function findMembership(tx: Tx, place: Where, userId: string): Promise<Membership | undefined> {
  const row = await tx.maybe<Row>(sql`select sequence, created_at as "createdAt", changed_at as "changedAt"
    from memberships where instance_id = ${tx.instanceId} and level = ${place.level}
      and resource_id = ${place.resourceId} and user_id = ${userId}`);
  return row && toMembership(place, userId, { ...row, roles: await listRoles(tx, place, userId) });
}

/** Inserts the administrator; undefined when the user is an administrator there already. */
export async function insertMembership(
  tx: Tx,
  place: Where,
  member: { userId: string; aggregateId: string; roles: readonly string[] },
): Promise<Membership | undefined> {
  const row =
    await tx.maybe<Row>(sql`insert into memberships (instance_id, level, resource_id, user_id, organization_id, sequence,
      created_at, changed_at)
    values (${tx.instanceId}, ${place.level}, ${place.resourceId}, ${member.userId},
      ${place.level === "instance" ? "" : place.ownerId},
      ${firstSequence(tx, "membership", member.aggregateId)},
      ${tx.now}, ${tx.now})
    on conflict do nothing returning sequence, created_at as "createdAt", changed_at as "changedAt"`);
  if (row === undefined) return undefined;
  await insertRoles(tx, place, member);
  return toMembership(place, member.userId, { ...row, roles: member.roles });
}

/** Replaces the roles of an administrator. */
export async function replaceRoles(
  tx: Tx,
  place: Where,
  member: { userId: string; roles: readonly string[] },
): Promise<Membership | undefined> {
  const row = await tx.maybe<Row>(sql`update memberships set sequence = sequence + 1, changed_at = ${tx.now}
    where instance_id = ${tx.instanceId} and level = ${place.level} and resource_id = ${place.resourceId}
      and user_id = ${member.userId} returning sequence, created_at as "createdAt", changed_at as "changedAt"`);
  if (row === undefined) return undefined;
  await deleteRoles(tx, place, member.userId);
  await insertRoles(tx, place, member);
  return toMembership(place, member.userId, { ...row, roles: member.roles });
}

/** Removes an administrator and returns the sequence of the removal. */
export async function deleteMembership(tx: Tx, place: Where, userId: string): Promise<number | undefined> {
  await deleteRoles(tx, place, userId);
  const row = await tx.maybe<{ sequence: number }>(sql`delete from memberships
    where instance_id = ${tx.instanceId} and level = ${place.level} and resource_id = ${place.resourceId}
      and user_id = ${userId} returning sequence + 1 as "sequence"`);
  return row?.sequence;
}

/** Lists the administrators of a resource. */
export async function listMemberIds(tx: Tx, place: Where): Promise<string[]> {
  const rows = await tx.all<{ userId: string }>(sql`select user_id as "userId" from memberships
    where instance_id = ${tx.instanceId} and level = ${place.level} and resource_id = ${place.resourceId}
    order by user_id`);
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

async function listRoles(tx: Tx, place: Where, userId: string): Promise<string[]> {
  const rows = await tx.all<{ role: string }>(sql`select role from membership_roles
    where instance_id = ${tx.instanceId} and user_id = ${userId} and level = ${place.level}
      and resource_id = ${place.resourceId} order by role`);
  return rows.map(({ role }) => role);
}

async function insertRoles(tx: Tx, place: Where, member: { userId: string; roles: readonly string[] }): Promise<void> {
  for (const role of member.roles) {
    await tx.run(sql`insert into membership_roles (instance_id, level, resource_id, user_id, role)
      values (${tx.instanceId}, ${place.level}, ${place.resourceId}, ${member.userId}, ${role})`);
  }
}

async function deleteRoles(tx: Tx, place: Where, userId: string): Promise<void> {
  await tx.run(sql`delete from membership_roles where instance_id = ${tx.instanceId} and user_id = ${userId}
    and level = ${place.level} and resource_id = ${place.resourceId}`);
}

function toMembership(place: Where, userId: string, row: Row & { readonly roles: readonly string[] }): Membership {
  const { sequence, createdAt, changedAt, roles } = row;
  const { level, resourceId, ownerId } = place;
  return { level, resourceId, userId, roles, details: { sequence, createdAt, changedAt, ownerId } };
}

/** Lists every position of the users, and whether it makes them owners of the instance. */
export function listMembershipsOfUsers(
  tx: Tx,
  userIds: readonly string[],
): Promise<{ userId: string; level: MembershipLevel; resourceId: string; organizationId: string; isOwner: number }[]> {
  return tx.all(sql`select m.user_id as "userId", m.level, m.resource_id as "resourceId", m.organization_id as "organizationId",
      case when r.role is null then 0 else 1 end as "isOwner"
    from memberships m left join membership_roles r on r.instance_id = m.instance_id and r.level = m.level
      and r.resource_id = m.resource_id and r.user_id = m.user_id and r.level = 'instance' and r.role = 'IAM_OWNER'
    where m.instance_id = ${tx.instanceId} and m.user_id in ${list(userIds)}`);
}
