import type { Tx } from "../../database/index.ts";
import { deleteSamlKeyIn } from "./saml-key.store.ts";
import { type SamlKeyRecord, samlKeyAggregate } from "./saml-key.ts";

/** Step: removes a key whose state the unit of work has read. Returns false when it is no longer in that state. */
export async function removeSamlKey(
  tx: Tx,
  { keyId, state }: Pick<SamlKeyRecord, "keyId" | "state">,
): Promise<boolean> {
  const deleted = await deleteSamlKeyIn(tx, keyId, state);
  if (deleted === undefined) return false;
  tx.record({
    type: "saml_key.deleted",
    ...samlKeyAggregate(tx.instanceId, keyId),
    sequence: deleted.sequence + 1,
    payload: { state },
  });
  return true;
}
