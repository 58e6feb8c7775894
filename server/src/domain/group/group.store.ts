import { deleteAll, inTurn, type Reader, rowLock, sql, type Tx, text, type Waiting } from "../../database/index.ts";
import type { Group } from "./group.ts";

/** Columns of a row of groups (without alias), named for `toGroup`. */
export const groupColumns = text(`user_groups.group_id as "groupId", user_groups.organization_id as "organizationId",
  user_groups.name, user_groups.description, user_groups.sequence, user_groups.created_at as "createdAt",
  user_groups.changed_at as "changedAt"`);

export interface GroupRow {
  readonly groupId: string;
  readonly organizationId: string;
  readonly name: string;
  readonly description: string;
  readonly sequence: number;
  readonly createdAt: number;
  readonly changedAt: number;
}

export function toGroup({ sequence, createdAt, changedAt, ...group }: GroupRow): Group {
  return { ...group, details: { sequence, createdAt, changedAt, ownerId: group.organizationId } };
}

/** Finds the group with this id. */
export async function findGroup(reader: Reader, instanceId: string, groupId: string): Promise<Group | undefined> {
  const row = await reader.maybe<GroupRow>(sql`select ${groupColumns} from user_groups
    where instance_id = ${instanceId} and group_id = ${groupId}`);
  return row && toGroup(row);
}

/** Returns the group, locked until the unit of work ends. */
export async function holdGroup(
  tx: Tx,
  groupId: string,
  hold: "share" | "alone",
  waiting?: Waiting,
): Promise<Group | undefined> {
  const row = await tx.maybe<GroupRow>(sql`select ${groupColumns} from user_groups
    where instance_id = ${tx.instanceId} and group_id = ${groupId}
    ${inTurn(tx, hold, "group", groupId, waiting)} ${rowLock(tx, hold, waiting)}`);
  return row && toGroup(row);
}

/** Lists groups of an organization, locked exclusively one after another; at most `limit`. */
export async function holdGroupsOfOrganization(tx: Tx, organizationId: string, limit: number): Promise<Group[]> {
  const rows = await tx.all<{ groupId: string }>(sql`select group_id as "groupId" from user_groups
    where instance_id = ${tx.instanceId} and organization_id = ${organizationId}
    order by group_id limit ${limit}`);
  const held: Group[] = [];
  for (const { groupId } of rows) {
    const group = await holdGroup(tx, groupId, "alone");
    if (group !== undefined) held.push(group);
  }
  return held;
}

/** Inserts the group; undefined when the id or the name is taken. */
export async function insertGroup(
  tx: Tx,
  group: Pick<Group, "groupId" | "organizationId" | "name" | "description"> & {
    readonly nameKey: string;
    readonly sequence: number;
  },
): Promise<Group | undefined> {
  const row =
    await tx.maybe<GroupRow>(sql`insert into user_groups (instance_id, group_id, organization_id, name, name_key,
      description, sequence, created_at, changed_at)
    values (${tx.instanceId}, ${group.groupId}, ${group.organizationId}, ${group.name}, ${group.nameKey},
      ${group.description}, ${group.sequence}, ${tx.now}, ${tx.now})
    on conflict do nothing returning ${groupColumns}`);
  return row && toGroup(row);
}

/** Replaces name and description. Throws UniqueViolation when the organization has a group of this name. */
export async function updateGroupRow(
  tx: Tx,
  group: Pick<Group, "groupId" | "name" | "description"> & { readonly nameKey: string },
): Promise<Group | undefined> {
  const row = await tx.maybe<GroupRow>(sql`update user_groups set name = ${group.name}, name_key = ${group.nameKey},
      description = ${group.description}, sequence = sequence + 1, changed_at = ${tx.now}
    where instance_id = ${tx.instanceId} and group_id = ${group.groupId}
    ${inTurn(tx, "alone", "group", group.groupId)} returning ${groupColumns}`);
  return row && toGroup(row);
}

/** Counts a change of the users of a group. */
export async function advanceGroup(tx: Tx, groupId: string): Promise<Group | undefined> {
  const row = await tx.maybe<GroupRow>(sql`update user_groups set sequence = sequence + 1, changed_at = ${tx.now}
    where instance_id = ${tx.instanceId} and group_id = ${groupId}
    ${inTurn(tx, "alone", "group", groupId)} returning ${groupColumns}`);
  return row && toGroup(row);
}

/** Deletes a group with its list of users, and returns the sequence of the deletion. */
export async function deleteGroupRow(tx: Tx, groupId: string): Promise<number | undefined> {
  const members = sql`instance_id = ${tx.instanceId} and group_id = ${groupId}`;
  await deleteAll(tx, { table: text("user_group_members"), where: members });
  const row = await tx.maybe<{ sequence: number }>(sql`delete from user_groups
    where instance_id = ${tx.instanceId} and group_id = ${groupId}
    ${inTurn(tx, "alone", "group", groupId)} returning sequence + 1 as "sequence"`);
  return row?.sequence;
}
