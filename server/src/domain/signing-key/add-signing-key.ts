import type { IdGenerator } from "../../base/id.ts";
import { toPublicJwk } from "../../base/jose/index.ts";
import type { Vault } from "../../base/vault.ts";
import type { Tx } from "../../database/index.ts";
import type { GeneratedKeyPair } from "./generate-key-pair.ts";
import { insertSigningKey, type NewSigningKey } from "./signing-key.store.ts";
import { algorithmFor, privateKeyContext, type SigningKeyRecord, signingKeyAggregate } from "./signing-key.ts";

export interface AddSigningKeyDeps {
  readonly newId: IdGenerator;
  readonly vault: Vault;
}

/** Step: stores a pair that waits to be activated, even when no other key of its algorithm signs. */
export async function addSigningKey(
  tx: Tx,
  deps: AddSigningKeyDeps,
  pair: GeneratedKeyPair,
): Promise<SigningKeyRecord> {
  const key = toNewKey(tx, deps, pair, { isSuccessor: false });
  const added = await insertSigningKey(tx, key, "initial");
  if (added === undefined) throw new Error(`signing key ${key.keyId} exists already`);
  recordCreated(tx, added);
  return added;
}

/** Step: stores a pair that signs at once, unless another key of its algorithm does. */
export async function addFirstSigningKey(
  tx: Tx,
  deps: AddSigningKeyDeps,
  pair: GeneratedKeyPair,
): Promise<SigningKeyRecord | undefined> {
  const added = await insertSigningKey(tx, toNewKey(tx, deps, pair, { isSuccessor: false }), "active");
  if (added !== undefined) recordCreated(tx, added);
  return added;
}

/** Step: stores a pair as the successor of the active key, unless a successor exists already. */
export async function addSuccessor(
  tx: Tx,
  deps: AddSigningKeyDeps,
  pair: GeneratedKeyPair,
): Promise<SigningKeyRecord | undefined> {
  const added = await insertSigningKey(tx, toNewKey(tx, deps, pair, { isSuccessor: true }), "initial");
  if (added !== undefined) recordCreated(tx, added);
  return added;
}

function toNewKey(
  tx: Tx,
  { newId, vault }: AddSigningKeyDeps,
  { parameters, privateKey }: GeneratedKeyPair,
  { isSuccessor }: { isSuccessor: boolean },
): NewSigningKey {
  const keyId = newId();
  const pem = privateKey.export({ type: "pkcs8", format: "pem" }).toString();
  return {
    keyId,
    algorithm: algorithmFor(parameters),
    rsaBits: "bits" in parameters ? parameters.bits : null,
    publicJwk: JSON.stringify(toPublicJwk(privateKey)),
    privateKey: vault.encrypt(pem, privateKeyContext(tx.instanceId, keyId)),
    isSuccessor,
  };
}

function recordCreated(tx: Tx, { keyId, algorithm, parameters, state, details }: SigningKeyRecord): void {
  tx.record({
    type: "signing_key.created",
    ...signingKeyAggregate(tx.instanceId, keyId),
    sequence: details.sequence,
    payload: { algorithm, state, ...parameters },
  });
}
