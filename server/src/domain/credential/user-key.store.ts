import type { Instant } from "../../base/clock.ts";
import { countUpTo, type Reader, sql, type Tx, text } from "../../database/index.ts";

export async function insertUserKey(
  tx: Tx,
  key: { keyId: string; userId: string; publicKey: string; expiresAt: number; sequence: number },
): Promise<void> {
  await tx.run(sql`insert into user_keys (instance_id, key_id, user_id, public_key, expires_at, sequence, created_at, changed_at)
    values (${tx.instanceId}, ${key.keyId}, ${key.userId}, ${key.publicKey}, ${key.expiresAt}, ${key.sequence}, ${tx.now},
      ${tx.now})`);
}

/** Counts the keys of a user that are valid now, up to one more than a number. */
export function countUserKeys(
  reader: Reader,
  instanceId: string,
  { userId, now, most }: { readonly userId: string; readonly now: Instant; readonly most: number },
): Promise<number> {
  const instance = sql`instance_id = ${instanceId} and user_id = ${userId} and expires_at > ${now}`;
  return countUpTo(reader, { from: text("user_keys"), instance }, most);
}

/** Removes a key of a user. Returns whether there was one. */
export async function deleteUserKey(tx: Tx, userId: string, keyId: string): Promise<boolean> {
  const count = await tx.run(sql`delete from user_keys
    where instance_id = ${tx.instanceId} and user_id = ${userId} and key_id = ${keyId}`);
  return count > 0;
}
