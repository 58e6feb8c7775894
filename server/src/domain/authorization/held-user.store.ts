import { inTurn, rowLock, sql, type Tx, type Waiting } from "../../database/index.ts";

/**
 * Returns the user and their organization; undefined when there is no such user. Locks the user until the unit of work
 * ends, so that a user who is being deleted gets no roles.
 */
export async function holdUser(
  tx: Tx,
  userId: string,
  waiting: Waiting,
): Promise<{ readonly userId: string; readonly organizationId: string } | undefined> {
  return tx.maybe(sql`select user_id as "userId", organization_id as "organizationId" from users
    where instance_id = ${tx.instanceId} and user_id = ${userId}
    ${inTurn(tx, "share", "user", userId, waiting)} ${rowLock(tx, "share", waiting)}`);
}
