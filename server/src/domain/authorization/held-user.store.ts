import { rowLock, sql, type Tx } from "../../database/index.ts";

/**
 * Whether the user exists. Locks the user until the unit of work ends, so that a user who is being deleted gets no
 * roles.
 */
export async function holdUser(tx: Tx, userId: string): Promise<boolean> {
  const row = await tx.maybe(sql`select user_id from users
    where instance_id = ${tx.instanceId} and user_id = ${userId} ${rowLock(tx, "share")}`);
  return row !== undefined;
}
