import type { SigningAlgorithm } from "../../base/jose/index.ts";
import { type Reader, rowLock, type Sql, sql, type Tx, text } from "../../database/index.ts";
import { parametersOf, type SigningKeyRecord, type SigningKeyState } from "./signing-key.ts";

const columns = text(`key_id as "keyId", algorithm, rsa_bits as "rsaBits", state, sequence, created_at as "createdAt",
  changed_at as "changedAt"`);

interface Row {
  readonly keyId: string;
  readonly algorithm: SigningAlgorithm;
  readonly rsaBits: number | null;
  readonly state: SigningKeyState;
  readonly sequence: number;
  readonly createdAt: number;
  readonly changedAt: number;
}

/** What rotation decisions are based on. */
export interface RotatingKey {
  readonly keyId: string;
  readonly algorithm: SigningAlgorithm;
  readonly rsaBits: number | null;
  readonly state: SigningKeyState;
  readonly isSuccessor: 0 | 1;
  readonly tokenLifetime: number;
  readonly createdAt: number;
  readonly activatedAt: number | null;
  readonly deactivatedAt: number | null;
}

/** A key with both halves; the private one is encrypted. */
export interface StoredKey {
  readonly keyId: string;
  readonly algorithm: SigningAlgorithm;
  readonly state: SigningKeyState;
  readonly publicJwk: string;
  readonly privateKey: string;
}

export interface NewSigningKey {
  readonly keyId: string;
  readonly algorithm: SigningAlgorithm;
  readonly rsaBits: number | null;
  readonly publicJwk: string;
  readonly privateKey: string;
  readonly isSuccessor: boolean;
}

const inOrderOfCreation = text("order by created_at, key_id");

export async function listSigningKeyRecords(reader: Reader, instanceId: string): Promise<SigningKeyRecord[]> {
  const rows = await reader.all<Row>(sql`select ${columns} from signing_keys
    where instance_id = ${instanceId} ${inOrderOfCreation}`);
  return rows.map((row) => toRecord(instanceId, row));
}

export async function listStoredKeys(reader: Reader, instanceId: string): Promise<StoredKey[]> {
  return reader.all<StoredKey>(sql`select key_id as "keyId", algorithm, state, public_jwk as "publicJwk",
      private_key as "privateKey"
    from signing_keys where instance_id = ${instanceId} ${inOrderOfCreation}`);
}

export async function listRotatingKeys(reader: Reader, instanceId: string): Promise<RotatingKey[]> {
  return reader.all<RotatingKey>(selectRotating(sql`instance_id = ${instanceId}`));
}

/** Returns the keys of an algorithm, locked until the unit of work ends, so that states change one after the other. */
export async function lockKeysOfAlgorithm(tx: Tx, algorithm: SigningAlgorithm): Promise<RotatingKey[]> {
  return tx.all<RotatingKey>(sql`${selectRotating(sql`instance_id = ${tx.instanceId} and algorithm = ${algorithm}`)}
    ${rowLock(tx, "alone")}`);
}

const selectRotating = (condition: Sql): Sql => sql`select key_id as "keyId", algorithm, rsa_bits as "rsaBits", state,
    is_successor as "isSuccessor", token_lifetime as "tokenLifetime", created_at as "createdAt", activated_at as "activatedAt",
    deactivated_at as "deactivatedAt"
  from signing_keys where ${condition} ${inOrderOfCreation}`;

export async function findSigningKey(
  reader: Reader,
  instanceId: string,
  keyId: string,
): Promise<SigningKeyRecord | undefined> {
  const row = await reader.maybe<Row>(sql`select ${columns} from signing_keys
    where instance_id = ${instanceId} and key_id = ${keyId}`);
  return row && toRecord(instanceId, row);
}

/**
 * Inserts a key, unless another key has the position of its state (one active and one successor for each algorithm).
 */
export async function insertSigningKey(
  tx: Tx,
  key: NewSigningKey,
  state: "initial" | "active",
): Promise<SigningKeyRecord | undefined> {
  const activatedAt = state === "active" ? tx.now : null;
  const row =
    await tx.maybe<Row>(sql`insert into signing_keys (instance_id, key_id, algorithm, rsa_bits, state, is_successor,
      public_jwk, private_key, token_lifetime, activated_at, sequence, created_at, changed_at)
    values (${tx.instanceId}, ${key.keyId}, ${key.algorithm}, ${key.rsaBits}, ${state}, ${key.isSuccessor},
      ${key.publicJwk}, ${key.privateKey}, 0, ${activatedAt}, 1, ${tx.now}, ${tx.now})
    on conflict do nothing returning ${columns}`);
  return row && toRecord(tx.instanceId, row);
}

/** Deactivates the active key of the algorithm, unless it is the named key. */
export async function deactivateOtherKey(
  tx: Tx,
  algorithm: SigningAlgorithm,
  keyId: string,
): Promise<SigningKeyRecord | undefined> {
  const row = await tx.maybe<Row>(sql`update signing_keys
    set state = 'inactive', deactivated_at = ${tx.now}, sequence = sequence + 1, changed_at = ${tx.now}
    where instance_id = ${tx.instanceId} and algorithm = ${algorithm} and state = 'active' and key_id <> ${keyId}
    returning ${columns}`);
  return row && toRecord(tx.instanceId, row);
}

/** Activates a key, unless it is active already or gone. */
export async function activateKey(tx: Tx, keyId: string): Promise<SigningKeyRecord | undefined> {
  const row = await tx.maybe<Row>(sql`update signing_keys
    set state = 'active', activated_at = ${tx.now}, deactivated_at = null, is_successor = 0, sequence = sequence + 1,
      changed_at = ${tx.now}
    where instance_id = ${tx.instanceId} and key_id = ${keyId} and state <> 'active'
    returning ${columns}`);
  return row && toRecord(tx.instanceId, row);
}

/** Deletes a key that does not sign. Returns undefined when there is none. */
export async function deleteInactiveKey(tx: Tx, keyId: string): Promise<SigningKeyRecord | undefined> {
  const row = await tx.maybe<Row>(sql`delete from signing_keys
    where instance_id = ${tx.instanceId} and key_id = ${keyId} and state <> 'active'
    returning ${columns}`);
  return row && toRecord(tx.instanceId, row);
}

/** Raises the recorded lifetime of the tokens that active keys sign (milliseconds). */
export async function raiseTokenLifetime(tx: Tx, tokenLifetime: number): Promise<void> {
  await tx.run(sql`update signing_keys set token_lifetime = ${tokenLifetime}
    where instance_id = ${tx.instanceId} and state = 'active' and token_lifetime < ${tokenLifetime}`);
}

function toRecord(instanceId: string, row: Row): SigningKeyRecord {
  const { keyId, algorithm, rsaBits, state, sequence, createdAt, changedAt } = row;
  const details = { sequence, createdAt, changedAt, ownerId: instanceId };
  return { keyId, algorithm, parameters: parametersOf(algorithm, rsaBits), state, details };
}
