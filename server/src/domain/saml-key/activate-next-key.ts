import type { Tx } from "../../database/index.ts";
import { moveSamlKey } from "./saml-key.store.ts";
import { type SamlKeyRecord, samlKeyAggregate } from "./saml-key.ts";

/** Step: makes the next key the active one. The unit of work holds the keys, and none of them is active any longer. */
export async function activateNextKey(tx: Tx, { keyId }: SamlKeyRecord): Promise<SamlKeyRecord> {
  const activated = await moveSamlKey(tx, keyId, { from: "next", to: "active" });
  // The change is given up by the error, so that the active key stays.
  if (activated === undefined) throw new Error("the successor of a SAML key went away");
  const { sequence } = activated;
  tx.record({ type: "saml_key.activated", ...samlKeyAggregate(tx.instanceId, keyId), sequence });
  return activated;
}
