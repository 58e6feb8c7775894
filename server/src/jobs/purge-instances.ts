import { hours } from "../base/clock.ts";
import { type PurgeDeps, purgeDeletedInstances } from "../domain/deletion/index.ts";
import type { Job } from "./job.ts";

/** Removes the remains of deleted instances after a crash. */
export const purgeInstances = (deps: PurgeDeps): Job => ({
  name: "purge_instances",
  every: hours(1),
  run: async ({ signal }) => ({ instances: await purgeDeletedInstances(deps, signal) }),
});
