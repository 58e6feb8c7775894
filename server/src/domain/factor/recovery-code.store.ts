import { join, list, type Reader, sql, type Tx } from "../../database/index.ts";

export async function insertRecoveryCodes(tx: Tx, userId: string, codeHashes: readonly string[]): Promise<void> {
  const rows = codeHashes.map((codeHash) => sql`(${tx.instanceId}, ${userId}, ${codeHash}, ${tx.now})`);
  await tx.run(sql`insert into recovery_codes (instance_id, user_id, code_hash, created_at)
    values ${join(rows, ", ")}`);
}

/** Consumes a code. False when it is not one of the remaining codes. */
export async function consumeRecoveryCode(tx: Tx, userId: string, codeHash: string): Promise<boolean> {
  const count = await tx.run(sql`delete from recovery_codes
    where instance_id = ${tx.instanceId} and user_id = ${userId} and code_hash = ${codeHash}`);
  return count > 0;
}

/** Counts the remaining codes of a user. */
export async function countRecoveryCodes(reader: Reader, instanceId: string, userId: string): Promise<number> {
  const row = await reader.maybe<{ count: number }>(sql`select count(*) as "count" from recovery_codes
    where instance_id = ${instanceId} and user_id = ${userId}`);
  return Number(row?.count ?? 0);
}

/** Deletes every code of a user. */
export async function deleteRecoveryCodes(tx: Tx, userId: string): Promise<void> {
  await tx.run(sql`delete from recovery_codes where instance_id = ${tx.instanceId} and user_id = ${userId}`);
}

/** Step: deletes the recovery codes of users who are being deleted. */
export async function deleteRecoveryCodesOfUsers(tx: Tx, userIds: readonly string[]): Promise<void> {
  await tx.run(sql`delete from recovery_codes where instance_id = ${tx.instanceId} and user_id in ${list(userIds)}`);
}
