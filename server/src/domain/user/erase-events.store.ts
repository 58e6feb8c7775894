import { sql, type Tx } from "../../database/index.ts";

/**
 * Erases what the events of a user who is being deleted say: names, addresses, numbers and accounts elsewhere. That
 * something happened, when, and by whom, stays.
 */
export async function eraseEventsOfUser(tx: Tx, userId: string): Promise<void> {
  await tx.run(sql`update events set payload = '{}'
    where instance_id = ${tx.instanceId} and aggregate_type = 'user' and aggregate_id = ${userId} and payload <> '{}'`);
}
