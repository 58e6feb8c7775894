import { setTimeout as sleep } from "node:timers/promises";
import { createRateLimiter } from "../base/budget/rate-limiter.ts";
import { createSourceLimiter } from "../base/budget/source-limiter.ts";
import type { Call } from "../call/index.ts";

/**
 * Waits before a refusal for too many requests (429) is sent, once a source, or an instance as a whole, has had too
 * many of them in a minute. Otherwise clients that repeat their request at each refusal would take the time of all
 * others. Undefined: send it now.
 */
export type HoldRefusal = (of: Pick<Call, "instanceId" | "now" | "source">) => Promise<void> | undefined;

const holdMilliseconds = 250;
// How many refusals a minute are sent without waiting.
const promptOfSource = 100;
const promptOfInstance = 1_000;
// A held answer takes about a kilobyte. Beyond this number, the limit of connections protects the process.
const mostHeld = 10_000;

/** Creates the counter of a process. */
export function createHoldRefusals(): HoldRefusal {
  const sources = createSourceLimiter({ perMinute: promptOfSource });
  const instances = createRateLimiter({ perMinute: promptOfInstance });
  let held = 0;
  return ({ instanceId, now, source = "" }) => {
    const isPrompt = sources.take(instanceId, source, now) === 0 && instances.take(instanceId, now) === 0;
    if (isPrompt || held >= mostHeld) return undefined;
    held++;
    return sleep(holdMilliseconds).finally(() => held--);
  };
}
