import { type Reader, sql, type Tx } from "../../database/index.ts";

export async function insertRecoveryCode(tx: Tx, userId: string, codeHash: string): Promise<void> {
  await tx.run(sql`insert into recovery_codes (instance_id, user_id, code_hash, created_at)
    values (${tx.instanceId}, ${userId}, ${codeHash}, ${tx.now})`);
}

/** Uses a code up. False when it is not one of those that are left. */
export async function consumeRecoveryCode(tx: Tx, userId: string, codeHash: string): Promise<boolean> {
  const count = await tx.run(sql`delete from recovery_codes
    where instance_id = ${tx.instanceId} and user_id = ${userId} and code_hash = ${codeHash}`);
  return count > 0;
}

/** How many codes a user has left. */
export async function countRecoveryCodes(reader: Reader, instanceId: string, userId: string): Promise<number> {
  const row = await reader.maybe<{ count: number }>(sql`select count(*) as "count" from recovery_codes
    where instance_id = ${instanceId} and user_id = ${userId}`);
  return Number(row?.count ?? 0);
}

/** Makes every code of a user useless. */
export async function deleteRecoveryCodes(tx: Tx, userId: string): Promise<void> {
  await tx.run(sql`delete from recovery_codes where instance_id = ${tx.instanceId} and user_id = ${userId}`);
}
