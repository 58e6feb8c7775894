import { setTimeout as wait } from "node:timers/promises";
import { restOfQuantum, roundUpToStep } from "../../base/password/refusal-quantum.ts";
import type { Call } from "../../call/index.ts";
import type { CheckPasswordDeps } from "./check-password.ts";
import { findImportedCost } from "./imported-cost.store.ts";
import { lowerImportedCost } from "./lower-imported-cost.ts";

/**
 * Begins to time a sign-in. Returns what a refusal waits for. Where users of the instance have hashes of other systems,
 * every refusal takes as long as the costliest of them, whatever was checked. Otherwise the time would tell which names
 * are those of imported users. Waiting takes no turn of the hasher and no processor.
 */
export function timeRefusal(
  deps: Pick<CheckPasswordDeps, "database" | "passwordHasher">,
  call: Call,
): () => Promise<void> {
  const started = performance.now();
  return async () => {
    const cost = await findImportedCost(deps.database.read, call.instanceId);
    if (cost === undefined) return;
    await lowerImportedCost(deps, call, cost);
    const quantum = roundUpToStep(cost.milliseconds * deps.passwordHasher.slowness);
    await wait(restOfQuantum(performance.now() - started, quantum));
  };
}
