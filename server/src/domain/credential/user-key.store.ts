import type { Instant } from "../../base/clock.ts";
import { type Reader, sql, type Tx } from "../../database/index.ts";

export async function insertUserKey(
  tx: Tx,
  key: { keyId: string; userId: string; publicKey: string; expiresAt: number; sequence: number },
): Promise<void> {
  await tx.run(sql`insert into user_keys (instance_id, key_id, user_id, public_key, expires_at, sequence, created_at, changed_at)
    values (${tx.instanceId}, ${key.keyId}, ${key.userId}, ${key.publicKey}, ${key.expiresAt}, ${key.sequence}, ${tx.now},
      ${tx.now})`);
}

/** Counts the keys of a user that are valid now, up to a number. */
export async function countUserKeys(
  reader: Reader,
  instanceId: string,
  { userId, now, most }: { readonly userId: string; readonly now: Instant; readonly most: number },
): Promise<number> {
  const row = await reader.maybe<{ count: number }>(sql`select count(*) as "count" from (
      select 1 as "one" from user_keys
      where instance_id = ${instanceId} and user_id = ${userId} and expires_at > ${now} limit ${most}) counted`);
  return row?.count ?? 0;
}

/** Removes a key of a user. Returns whether there was one. */
export async function deleteUserKey(tx: Tx, userId: string, keyId: string): Promise<boolean> {
  const count = await tx.run(sql`delete from user_keys
    where instance_id = ${tx.instanceId} and user_id = ${userId} and key_id = ${keyId}`);
  return count > 0;
}
