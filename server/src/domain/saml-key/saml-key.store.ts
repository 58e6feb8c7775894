import { type Reader, rowLock, sql, type Tx, text } from "../../database/index.ts";
import type { SamlKeyRecord, SamlKeyState } from "./saml-key.ts";

const columns = text(`key_id as "keyId", state, certificate, expires_at as "expiresAt", signs_at as "signsAt",
  sequence, created_at as "createdAt", changed_at as "changedAt"`);
const inOrderOfCreation = text("order by created_at, key_id");

/** A key with its private half, encrypted. */
export interface StoredSamlKey extends SamlKeyRecord {
  readonly privateKey: string;
}

/** Lists the keys of an instance, oldest first. */
export const listStoredSamlKeys = (reader: Reader, instanceId: string): Promise<StoredSamlKey[]> =>
  reader.all<StoredSamlKey>(sql`select ${columns}, private_key as "privateKey" from saml_keys
    where instance_id = ${instanceId} ${inOrderOfCreation}`);

/** Lists the keys of an instance without their private halves, oldest first. */
export const listSamlKeyRecords = (reader: Reader, instanceId: string): Promise<SamlKeyRecord[]> =>
  reader.all<SamlKeyRecord>(sql`select ${columns} from saml_keys
    where instance_id = ${instanceId} ${inOrderOfCreation}`);

/** Returns the keys, locked until the unit of work ends, so that states change one after the other. */
export const lockSamlKeys = (tx: Tx): Promise<SamlKeyRecord[]> =>
  tx.all<SamlKeyRecord>(sql`select ${columns} from saml_keys
    where instance_id = ${tx.instanceId} ${inOrderOfCreation} ${rowLock(tx, "alone")}`);

/** What is inserted of a key. */
export type NewSamlKey = Pick<StoredSamlKey, "keyId" | "certificate" | "privateKey" | "expiresAt">;

/** Inserts a key, unless another key has its state. */
export function insertSamlKey(
  tx: Tx,
  key: NewSamlKey,
  { state, signsAt }: { readonly state: "active" | "next"; readonly signsAt: number | null },
): Promise<SamlKeyRecord | undefined> {
  return tx.maybe<SamlKeyRecord>(sql`insert into saml_keys (instance_id, key_id, state, certificate, private_key,
      expires_at, signs_at, sequence, created_at, changed_at)
    values (${tx.instanceId}, ${key.keyId}, ${state}, ${key.certificate}, ${key.privateKey}, ${key.expiresAt},
      ${signsAt}, 1, ${tx.now}, ${tx.now})
    on conflict do nothing returning ${columns}`);
}

/** Moves a key from one state to the next; undefined when it is in another. */
export function moveSamlKey(
  tx: Tx,
  keyId: string,
  { from, to }: { readonly from: SamlKeyState; readonly to: SamlKeyState },
): Promise<SamlKeyRecord | undefined> {
  return tx.maybe<SamlKeyRecord>(sql`update saml_keys
    set state = ${to}, signs_at = null, sequence = sequence + 1, changed_at = ${tx.now}
    where instance_id = ${tx.instanceId} and key_id = ${keyId} and state = ${from} returning ${columns}`);
}

/** Sets when a next key begins to sign. */
export function updateSwitch(tx: Tx, keyId: string, signsAt: number): Promise<SamlKeyRecord | undefined> {
  return tx.maybe<SamlKeyRecord>(sql`update saml_keys
    set signs_at = ${signsAt}, sequence = sequence + 1, changed_at = ${tx.now}
    where instance_id = ${tx.instanceId} and key_id = ${keyId} and state = 'next' returning ${columns}`);
}

/** Deletes a key in the state that the caller has read. */
export function deleteSamlKeyIn(tx: Tx, keyId: string, state: SamlKeyState): Promise<SamlKeyRecord | undefined> {
  return tx.maybe<SamlKeyRecord>(sql`delete from saml_keys
    where instance_id = ${tx.instanceId} and key_id = ${keyId} and state = ${state} returning ${columns}`);
}

/** Lists the instances that have keys. */
export async function listInstancesWithSamlKeys(reader: Reader): Promise<string[]> {
  const rows = await reader.all<{ instanceId: string }>(sql`select distinct instance_id as "instanceId" from saml_keys
    where state = 'active'`);
  return rows.map(({ instanceId }) => instanceId);
}
