import { minutes } from "../base/clock.ts";
import { type FinishDeps, finishDeletions } from "../domain/deletion/index.ts";
import type { Job } from "./job.ts";

/** Finishes deletions of organizations that a crash interrupted. */
export const finishDeletionsOfOrganizations = (deps: FinishDeps): Job => ({
  name: "finish_deletions",
  every: minutes(5),
  run: async ({ signal }) => ({ organizations: await finishDeletions(deps, signal) }),
});
