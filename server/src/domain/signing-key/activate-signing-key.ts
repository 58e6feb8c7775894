import { Fault } from "../../base/fault.ts";
import type { Call } from "../../call/index.ts";
import type { Database, Details, Tx } from "../../database/index.ts";
import { activateKey, deactivateOtherKey, findSigningKey, lockKeysOfAlgorithm } from "./signing-key.store.ts";
import { type SigningKeyRecord, signingKeyAggregate } from "./signing-key.ts";

/**
 * Activates a key for signing; the one that signed with its algorithm becomes inactive and stays published. Activating
 * the active key changes nothing. Throws the Fault `signing_key.not_found`. A key that was published for less than the
 * cache time of the key set (`keySetMaxAgeSeconds`) is unknown to relying parties that cached the set: the caller has
 * to wait for that, as rotation does.
 */
export async function activateSigningKey(
  deps: { readonly database: Database },
  call: Call,
  input: { readonly keyId: string },
): Promise<Details> {
  return deps.database.change(call, async (tx) => {
    const key = await findSigningKey(tx, tx.instanceId, input.keyId);
    if (key === undefined) throw notFound();
    await lockKeysOfAlgorithm(tx, key.algorithm);
    return (await replaceActiveKey(tx, key)) ?? key.details;
  });
}

/**
 * Step: makes the key the active one of its algorithm, whose keys the unit of work holds. Returns undefined when it is
 * active already.
 */
export async function replaceActiveKey(
  tx: Tx,
  key: Pick<SigningKeyRecord, "keyId" | "algorithm">,
): Promise<Details | undefined> {
  const deactivated = await deactivateOtherKey(tx, key.algorithm, key.keyId);
  const activated = await activateKey(tx, key.keyId);
  if (activated === undefined && deactivated !== undefined) throw notFound();
  if (deactivated !== undefined) recordState(tx, deactivated, "signing_key.deactivated");
  if (activated !== undefined) recordState(tx, activated, "signing_key.activated");
  return activated?.details;
}

function recordState(
  tx: Tx,
  { keyId, algorithm, details }: SigningKeyRecord,
  type: "signing_key.activated" | "signing_key.deactivated",
): void {
  tx.record({
    type,
    ...signingKeyAggregate(tx.instanceId, keyId),
    sequence: details.sequence,
    payload: { algorithm },
  });
}

const notFound = (): Fault => new Fault("not_found", "signing_key.not_found", { field: "id" });
