import type { Instant } from "../../base/clock.ts";
import { Fault } from "../../base/fault.ts";
import type { Call } from "../../call/index.ts";
import type { Database, Tx } from "../../database/index.ts";
import { deleteInactiveKey, findSigningKey } from "./signing-key.store.ts";
import { signingKeyAggregate } from "./signing-key.ts";

/**
 * Deletes a key; from now on what it signed is not accepted. The active key of an algorithm cannot be deleted (Fault
 * `signing_key.active`). For a key that does not exist, undefined is returned instead of the time.
 */
export async function deleteSigningKey(
  deps: { readonly database: Database },
  call: Call,
  input: { readonly keyId: string },
): Promise<Instant | undefined> {
  return deps.database.change(call, async (tx) => {
    if (await removeInactiveKey(tx, input.keyId)) return tx.now;
    const isActive = (await findSigningKey(tx, tx.instanceId, input.keyId)) !== undefined;
    if (isActive) throw new Fault("failed_precondition", "signing_key.active", { field: "id" });
    return undefined;
  });
}

/** Step: deletes a key that does not sign. Returns false when there is none. */
export async function removeInactiveKey(tx: Tx, keyId: string): Promise<boolean> {
  const deleted = await deleteInactiveKey(tx, keyId);
  if (deleted === undefined) return false;
  tx.record({
    type: "signing_key.deleted",
    ...signingKeyAggregate(tx.instanceId, keyId),
    sequence: deleted.details.sequence + 1,
    payload: { algorithm: deleted.algorithm },
  });
  return true;
}
