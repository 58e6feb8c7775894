import { type Reader, sql, type Tx, text } from "../../database/index.ts";
import type { SamlKeyRecord, SamlKeyState } from "./saml-key.ts";

const columns = text(`key_id as "keyId", state, certificate, expires_at as "expiresAt", sequence,
  changed_at as "changedAt"`);

/** A key with its private half, encrypted. */
export interface StoredSamlKey extends SamlKeyRecord {
  readonly privateKey: string;
}

/** Lists the keys of an instance, oldest first. */
export const listSamlKeys = (reader: Reader, instanceId: string): Promise<StoredSamlKey[]> =>
  reader.all<StoredSamlKey>(sql`select ${columns}, private_key as "privateKey" from saml_keys
    where instance_id = ${instanceId} order by created_at, key_id`);

/** Inserts a key, unless another key has its state. */
export function insertSamlKey(
  tx: Tx,
  key: Pick<StoredSamlKey, "keyId" | "certificate" | "privateKey" | "expiresAt"> & { readonly state: SamlKeyState },
): Promise<SamlKeyRecord | undefined> {
  return tx.maybe<SamlKeyRecord>(sql`insert into saml_keys (instance_id, key_id, state, certificate, private_key,
      expires_at, sequence, created_at, changed_at)
    values (${tx.instanceId}, ${key.keyId}, ${key.state}, ${key.certificate}, ${key.privateKey}, ${key.expiresAt}, 1,
      ${tx.now}, ${tx.now})
    on conflict do nothing returning ${columns}`);
}

/** Moves a key from one state to the next; undefined when it is in another. */
export function moveSamlKey(
  tx: Tx,
  keyId: string,
  { from, to }: { readonly from: SamlKeyState; readonly to: SamlKeyState },
): Promise<SamlKeyRecord | undefined> {
  return tx.maybe<SamlKeyRecord>(sql`update saml_keys
    set state = ${to}, sequence = sequence + 1, changed_at = ${tx.now}
    where instance_id = ${tx.instanceId} and key_id = ${keyId} and state = ${from} returning ${columns}`);
}

/** Deletes a key that no longer signs. */
export function deleteFormerSamlKey(tx: Tx, keyId: string): Promise<SamlKeyRecord | undefined> {
  return tx.maybe<SamlKeyRecord>(sql`delete from saml_keys
    where instance_id = ${tx.instanceId} and key_id = ${keyId} and state = 'former' returning ${columns}`);
}

/** Lists the instances that have keys. */
export async function listInstancesWithSamlKeys(reader: Reader): Promise<string[]> {
  const rows = await reader.all<{ instanceId: string }>(sql`select distinct instance_id as "instanceId" from saml_keys
    where state = 'active'`);
  return rows.map(({ instanceId }) => instanceId);
}
