import type { Tx } from "../../database/index.ts";
import { updateSetupCompleted } from "./instance.store.ts";
import { instanceAggregate } from "./instance.ts";

/** Step: closes the setup of the instance forever. Returns whether it was open. */
export async function completeInstanceSetup(tx: Tx): Promise<boolean> {
  const sequence = await updateSetupCompleted(tx);
  if (sequence === undefined) return false;
  tx.record({ type: "instance.setup.completed", ...instanceAggregate(tx.instanceId), sequence });
  return true;
}
