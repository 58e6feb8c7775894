import type { Instant } from "../../base/clock.ts";
import { Fault } from "../../base/fault.ts";
import type { Call } from "../../call/index.ts";
import type { Database, Tx } from "../../database/index.ts";
import { holdTarget, touchTarget } from "./target.store.ts";
import { targetAbsent, targetAggregate } from "./target.ts";
import { deactivateOtherTargetKey, deleteTargetKey, findTargetKey, setTargetKeyActive } from "./target-key.store.ts";
import { type TargetKey, targetKeyAbsent } from "./target-key.ts";

interface KeyInput {
  readonly targetId: string;
  readonly keyId: string;
}

type Deps = { readonly database: Database };

/**
 * Makes a key the one that payloads to its target are encrypted to, in place of the key that was active before.
 * Returns when it was activated. Throws the Faults
 * `target.key_not_found`, `target.key_expired`.
 */
export function activateTargetKey(deps: Deps, call: Call, input: KeyInput): Promise<Instant> {
  return changeKey(deps, call, input, async (tx, key) => {
    if (key.expiresAt !== undefined && key.expiresAt <= tx.now) {
      throw new Fault("failed_precondition", "target.key_expired", { field: "keyId" });
    }
    if (key.isActive) return key.changedAt;
    const former = await deactivateOtherTargetKey(tx, key.targetId, key.keyId);
    if (former !== undefined) await record(tx, key.targetId, former, "target.key.deactivated");
    await setTargetKeyActive(tx, key.targetId, key.keyId, true);
    await record(tx, key.targetId, key.keyId, "target.key.activated");
    return tx.now;
  });
}

/** Stops the use of a key. Returns when that happened. Throws the Fault `target.key_not_found`. */
export function deactivateTargetKey(deps: Deps, call: Call, input: KeyInput): Promise<Instant> {
  return changeKey(deps, call, input, async (tx, key) => {
    if (!key.isActive) return key.changedAt;
    await setTargetKeyActive(tx, key.targetId, key.keyId, false);
    await record(tx, key.targetId, key.keyId, "target.key.deactivated");
    return tx.now;
  });
}

/**
 * Removes a key that is not active; a key that does not exist counts as removed. Returns when that happened.
 * Throws the Faults `target.not_found`,
 * `target.key_active`.
 */
export function removeTargetKey(deps: Deps, call: Call, { targetId, keyId }: KeyInput): Promise<Instant> {
  return deps.database.change(call, async (tx) => {
    if ((await holdTarget(tx, targetId)) === undefined) throw targetAbsent("targetId");
    const key = await findTargetKey(tx, targetId, keyId);
    if (key === undefined) return tx.now;
    if (key.isActive) throw new Fault("failed_precondition", "target.key_active", { field: "keyId" });
    await deleteTargetKey(tx, targetId, keyId);
    await record(tx, targetId, keyId, "target.key.removed");
    return tx.now;
  });
}

function changeKey(
  deps: Deps,
  call: Call,
  { targetId, keyId }: KeyInput,
  work: (tx: Tx, key: TargetKey) => Promise<Instant>,
): Promise<Instant> {
  return deps.database.change(call, async (tx) => {
    // The lock makes changes of one target's keys follow one another.
    if ((await holdTarget(tx, targetId)) === undefined) throw targetAbsent("targetId");
    const key = await findTargetKey(tx, targetId, keyId);
    if (key === undefined) throw targetKeyAbsent();
    return work(tx, key);
  });
}

async function record(
  tx: Tx,
  targetId: string,
  keyId: string,
  type: "target.key.activated" | "target.key.deactivated" | "target.key.removed",
): Promise<void> {
  const sequence = (await touchTarget(tx, targetId)) ?? 0;
  tx.record({ type, ...targetAggregate(tx.instanceId, targetId), sequence, payload: { keyId } });
}
