import { type Clock, seconds } from "../base/clock.ts";
import type { Database } from "../database/index.ts";
import { countEvents } from "../domain/statistics/index.ts";
import type { Job } from "./job.ts";

export interface CountEventsDeps {
  readonly database: Database;
  readonly clock: Clock;
}

/** Counts what the events since the last time tell, for the statistics. */
export const countEventsRegularly = (deps: CountEventsDeps): Job => ({
  name: "count_events",
  every: seconds(15),
  run: async ({ signal }) => ({ events: await countEvents(deps, signal) }),
});
