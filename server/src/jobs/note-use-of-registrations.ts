import { hours } from "../base/clock.ts";
import type { Database } from "../database/index.ts";
import { listInstancesOfStrangers, noteUse } from "../domain/registration/index.ts";
import type { Job } from "./job.ts";

/** Notes which dynamically registered clients are in use, so that others expire. */
export const noteUseOfRegistrations = ({ database }: { readonly database: Database }): Job => ({
  name: "note_use_of_registrations",
  every: hours(1),
  run: async ({ now, signal }) => {
    let registrations = 0;
    for (const instanceId of await listInstancesOfStrangers(database.read)) {
      if (signal.aborted) break;
      const call = { instanceId, requestId: "job note_use_of_registrations", now, language: "en" } as const;
      registrations += await database.touch(call, noteUse);
    }
    return { registrations };
  },
});
