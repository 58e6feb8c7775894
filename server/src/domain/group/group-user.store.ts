import { join, list, type Reader, rowLock, sql, type Tx, takeTurn } from "../../database/index.ts";

// SQLite allows 32,766 parameters per statement, and each row has four.
const usersPerStatement = 5000;

/**
 * Returns which of the users belong to an organization. Locks them until the unit of work ends, so that none is deleted
 * meanwhile. One unit at a time does this in an organization, so that those who want to have a user alone get their
 * turn: there are too many users for a turn at each.
 */
export async function holdUsersOf(tx: Tx, organizationId: string, userIds: readonly string[]): Promise<Set<string>> {
  takeTurn(tx, "alone", "additions to groups", organizationId);
  const found = new Set<string>();
  for (let start = 0; start < userIds.length; start += usersPerStatement) {
    const rows = await tx.all<{ userId: string }>(sql`select user_id as "userId" from users
      where instance_id = ${tx.instanceId} and organization_id = ${organizationId}
        and user_id in ${list(userIds.slice(start, start + usersPerStatement))} order by user_id ${rowLock(tx, "share")}`);
    for (const { userId } of rows) found.add(userId);
  }
  return found;
}

/** Adds users to a group, except those who are in it. Returns who was added. */
export async function insertGroupUsers(tx: Tx, groupId: string, userIds: readonly string[]): Promise<string[]> {
  const added: string[] = [];
  for (let start = 0; start < userIds.length; start += usersPerStatement) {
    const rows = userIds
      .slice(start, start + usersPerStatement)
      .map((userId) => sql`(${tx.instanceId}, ${groupId}, ${userId}, ${tx.now})`);
    const inserted = await tx.all<{ userId: string }>(sql`insert into user_group_members
        (instance_id, group_id, user_id, created_at)
      values ${join(rows, ", ")} on conflict do nothing returning user_id as "userId"`);
    added.push(...inserted.map(({ userId }) => userId));
  }
  return added.sort();
}

/**
 * Returns one of the users who are in more groups than the number, if there is one. Of each user no more are counted.
 * The caller adds users in turn (`holdUsersOf`).
 */
export async function findUserOfTooManyGroups(
  tx: Tx,
  userIds: readonly string[],
  most: number,
): Promise<string | undefined> {
  for (let start = 0; start < userIds.length; start += usersPerStatement) {
    const row = await tx.maybe<{ userId: string }>(sql`select u.user_id as "userId" from users u
      where u.instance_id = ${tx.instanceId} and u.user_id in ${list(userIds.slice(start, start + usersPerStatement))}
        and exists (select 1 from user_group_members m where m.instance_id = ${tx.instanceId} and m.user_id = u.user_id
          order by m.group_id limit 1 offset ${most}) limit 1`);
    if (row !== undefined) return row.userId;
  }
  return undefined;
}

/** Removes users from a group. Returns who was removed. */
export async function deleteGroupUsers(tx: Tx, groupId: string, userIds: readonly string[]): Promise<string[]> {
  const removed: string[] = [];
  for (let start = 0; start < userIds.length; start += usersPerStatement) {
    const rows = await tx.all<{ userId: string }>(sql`delete from user_group_members
      where instance_id = ${tx.instanceId} and group_id = ${groupId}
        and user_id in ${list(userIds.slice(start, start + usersPerStatement))} returning user_id as "userId"`);
    removed.push(...rows.map(({ userId }) => userId));
  }
  return removed.sort();
}

/** Lists the places of users in groups, group by group; at most `limit`. */
export function listGroupsOfUsers(
  tx: Tx,
  userIds: readonly string[],
  limit: number,
): Promise<{ groupId: string; userId: string }[]> {
  return tx.all(sql`select group_id as "groupId", user_id as "userId" from user_group_members
    where instance_id = ${tx.instanceId} and user_id in ${list(userIds)} order by group_id, user_id limit ${limit}`);
}

/** Lists the names of a user's groups in an organization, in order. */
export async function listGroupNamesOfUser(
  reader: Reader,
  instanceId: string,
  {
    userId,
    organizationId,
    limit,
  }: { readonly userId: string; readonly organizationId: string; readonly limit: number },
): Promise<string[]> {
  const rows = await reader.all<{ name: string }>(sql`select g.name as "name"
    from user_group_members m
    join user_groups g on g.instance_id = m.instance_id and g.group_id = m.group_id
    where m.instance_id = ${instanceId} and m.user_id = ${userId} and g.organization_id = ${organizationId}
    order by g.name_key limit ${limit}`);
  return rows.map(({ name }) => name);
}
