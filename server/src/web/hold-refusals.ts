import { setTimeout as sleep } from "node:timers/promises";
import { createRateLimiter } from "../base/rate-limiter.ts";
import type { Call } from "../call/index.ts";

/**
 * Waits before a refusal for coming too often (429) is sent, where a source, or an instance as a whole, was told so again
 * and again. Otherwise clients that ask anew with each refusal would take the time of all others by being refused.
 */
export type HoldRefusal = (of: Pick<Call, "instanceId" | "now" | "source">) => Promise<void> | undefined;

const milliseconds = 250;
// How many a minute are sent at once.
const promptOfSource = 100;
const promptOfInstance = 1_000;
// A held answer takes about a kilobyte. Beyond so many, the connections of the process are limited.
const mostHeld = 10_000;

/** Creates the counter of a process. */
export function createHoldRefusals(): HoldRefusal {
  const sources = createRateLimiter({ perMinute: promptOfSource });
  const instances = createRateLimiter({ perMinute: promptOfInstance });
  let held = 0;
  return ({ instanceId, now, source = "" }) => {
    const isPrompt = sources.take(`${instanceId}\n${source}`, now) === 0 && instances.take(instanceId, now) === 0;
    if (isPrompt || held >= mostHeld) return undefined;
    held++;
    return sleep(milliseconds).finally(() => held--);
  };
}
