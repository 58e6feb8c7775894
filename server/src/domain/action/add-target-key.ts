import type { Instant } from "../../base/clock.ts";
import { Fault } from "../../base/fault.ts";
import type { IdGenerator } from "../../base/id.ts";
import type { Call } from "../../call/index.ts";
import type { Database } from "../../database/index.ts";
import { touchTarget } from "./target.store.ts";
import { targetAbsent, targetAggregate } from "./target.ts";
import { countTargetKeys, insertTargetKey } from "./target-key.store.ts";
import { readEncryptionKey } from "./target-key.ts";

const mostKeys = 20;

/**
 * Adds a public key (PEM) to a target. The key is not used until it is activated. Throws the Faults of
 * `readEncryptionKey`, `target.not_found`, `target.too_many_keys`, `target.key_expired`.
 */
export async function addTargetKey(
  deps: { readonly database: Database; readonly newId: IdGenerator },
  call: Call,
  input: { readonly targetId: string; readonly publicKey: string; readonly expiresAt?: Instant },
): Promise<{ readonly keyId: string; readonly createdAt: Instant }> {
  const { targetId, expiresAt } = input;
  const key = readEncryptionKey(input.publicKey);
  if (expiresAt !== undefined && expiresAt <= call.now) {
    throw new Fault("invalid_argument", "target.key_expired", { field: "expirationDate" });
  }
  const keyId = deps.newId();
  await deps.database.change(call, async (tx) => {
    const sequence = await touchTarget(tx, targetId);
    if (sequence === undefined) throw targetAbsent("targetId");
    if ((await countTargetKeys(tx, targetId)) >= mostKeys) {
      throw new Fault("failed_precondition", "target.too_many_keys", { values: { maximum: mostKeys } });
    }
    await insertTargetKey(tx, { targetId, keyId, ...key, ...(expiresAt !== undefined && { expiresAt }) });
    tx.record({
      type: "target.key.added",
      ...targetAggregate(tx.instanceId, targetId),
      sequence,
      payload: { keyId, ...key, ...(expiresAt !== undefined && { expiresAt }) },
    });
  });
  return { keyId, createdAt: call.now };
}
