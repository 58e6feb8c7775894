import { createFairTurns } from "../../base/budget/fair-turns.ts";
import { QueueFull } from "../../base/budget/semaphore.ts";
import { Fault } from "../../base/fault.ts";
import type { Call } from "../../call/index.ts";

const turns = createFairTurns({ permits: 4096, shares: [1], queueLimits: [64], queueLimit: 4096 });

/**
 * Does the work of callers who may make a key of an instance one after the other, so that those who come second find
 * the key of the first, and no unused key is made. Throws the Fault `request.too_many` when too many wait.
 */
export async function oneAtATime<Result>(call: Call, work: () => Promise<Result>): Promise<Result> {
  try {
    return await turns.run([call.instanceId], work, call.gone?.());
  } catch (error) {
    if (error instanceof QueueFull) throw new Fault("resource_exhausted", "request.too_many", { cause: error });
    throw error;
  }
}
