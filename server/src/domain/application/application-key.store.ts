import type { Instant } from "../../base/clock.ts";
import { type Reader, sql, type Tx, text } from "../../database/index.ts";

/** A public key of an application, as it is stored. */
export interface StoredApplicationKey {
  readonly keyId: string;
  readonly applicationId: string;
  /** SubjectPublicKeyInfo in PEM. */
  readonly publicKey: string;
  readonly expiresAt: Instant;
  readonly createdAt: Instant;
}

const columns = text(`key_id as "keyId", application_id as "applicationId", public_key as "publicKey",
  expires_at as "expiresAt", created_at as "createdAt"`);

export async function listKeysOfApplication(
  reader: Reader,
  instanceId: string,
  applicationId: string,
): Promise<StoredApplicationKey[]> {
  return reader.all<StoredApplicationKey>(sql`select ${columns} from application_keys
    where instance_id = ${instanceId} and application_id = ${applicationId} order by created_at, key_id`);
}

export async function countKeys(reader: Reader, instanceId: string, applicationId: string): Promise<number> {
  const row = await reader.maybe<{ count: number }>(sql`select count(*) as "count" from application_keys
    where instance_id = ${instanceId} and application_id = ${applicationId}`);
  return row?.count ?? 0;
}

export async function insertApplicationKey(
  tx: Tx,
  key: { keyId: string; applicationId: string; publicKey: string; expiresAt: Instant },
): Promise<void> {
  await tx.run(sql`insert into application_keys (instance_id, key_id, application_id, public_key, expires_at, created_at)
    values (${tx.instanceId}, ${key.keyId}, ${key.applicationId}, ${key.publicKey}, ${key.expiresAt}, ${tx.now})`);
}

/** Deletes a key of the application; false when it has no key with this id. */
export async function deleteApplicationKeyRow(tx: Tx, applicationId: string, keyId: string): Promise<boolean> {
  const count = await tx.run(sql`delete from application_keys
    where instance_id = ${tx.instanceId} and application_id = ${applicationId} and key_id = ${keyId}`);
  return count > 0;
}
