import { minutes } from "../base/clock.ts";
import { type FinishDeps, finishDeletions, finishErasures } from "../domain/deletion/index.ts";
import type { Job } from "./job.ts";

/** Finishes deletions of organizations that a crash interrupted, and the erasure of events of deleted users. */
export const finishDeletionsOfOrganizations = (deps: FinishDeps): Job => ({
  name: "finish_deletions",
  every: minutes(5),
  run: async ({ signal }) => {
    // First, so that a failure below does not prevent it.
    const users = await finishErasures(deps, signal);
    return { users, organizations: await finishDeletions(deps, signal) };
  },
});
