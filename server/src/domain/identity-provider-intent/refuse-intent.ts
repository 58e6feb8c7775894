import type { Tx } from "../../database/index.ts";
import { markFailed } from "./identity-intent.store.ts";
import { intentAggregate } from "./identity-intent.ts";

/**
 * Step: ends an attempt that succeeded at the provider but cannot sign the user in. `failure` is the slug of the
 * sentence that explains it.
 */
export async function refuseIntent(tx: Tx, intentId: string, failure: string): Promise<void> {
  const sequence = await markFailed(tx, { intentId, failure, from: "succeeded" });
  if (sequence === undefined) return;
  const payload = { reason: failure };
  tx.record({ type: "idpintent.failed", ...intentAggregate(intentId, tx.instanceId), sequence, payload });
}
