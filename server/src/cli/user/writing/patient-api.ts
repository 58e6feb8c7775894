import { setTimeout as wait } from "node:timers/promises";
import { minutes, seconds } from "../../../base/clock.ts";
import type { Random } from "../../../base/random.ts";
import { type ApiClient, ApiRefusal } from "../../api-call.ts";
import { ServerUnreachable } from "../../api-client.ts";
import { tell } from "../../command-context.ts";
import { printable } from "../../printable.ts";

// Refusals that mean "later"; without a code of the API, a proxy in between answered.
const passing = new Set([
  "resource_exhausted",
  "unavailable",
  "aborted",
  "deadline_exceeded",
  "HTTP 429",
  "HTTP 502",
  "HTTP 503",
  "HTTP 504",
]);

const firstPause = seconds(0.5);
const longestPause = seconds(30);
const patience = minutes(5);
// A pause that the user wonders about.
const longPause = seconds(4);

/**
 * Repeats calls that the server refuses for now, after the time that it asks for, or after pauses that double. Gives up
 * after five minutes, and at once if the server asks for more than that: then a quota is used up.
 */
export function patientApi(api: ApiClient, random: Random): ApiClient {
  let told = Number.NEGATIVE_INFINITY;
  const tellOfPause = (error: unknown, pause: number): void => {
    if (pause < longPause || performance.now() - told < longPause) return;
    told = performance.now();
    const why = error instanceof Error ? error.message : String(error);
    tell(printable(`waiting ${Math.round(pause / 1000)} seconds: ${why}`));
  };
  return async (method, message) => {
    let waited = 0;
    for (let pause = firstPause; ; pause = Math.min(2 * pause, longestPause)) {
      try {
        return await api(method, message);
      } catch (error) {
        const asked = pauseOf(error);
        if (asked === undefined) throw error;
        // Spread, so that calls that were refused together do not come back together.
        const next = Math.max(asked, pause) * (1 + (random(1)[0] ?? 0) / 512);
        waited += next;
        if (waited > patience) throw error;
        tellOfPause(error, next);
        await wait(next);
      }
    }
  };
}

/** Returns the milliseconds that a failure asks to wait; undefined for one that stays. */
function pauseOf(error: unknown): number | undefined {
  if (error instanceof ServerUnreachable) return 0;
  if (!(error instanceof ApiRefusal) || !passing.has(error.code)) return undefined;
  return seconds(error.retryAfter ?? 0);
}
