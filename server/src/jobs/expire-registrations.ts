import { minutes } from "../base/clock.ts";
import { type ExpireRegistrationsDeps, expireRegistrations as expire } from "../domain/deletion/index.ts";
import type { Job } from "./job.ts";

/** Removes dynamically registered clients that were never used, or not for a long time. */
export const expireRegistrations = (deps: ExpireRegistrationsDeps): Job => ({
  name: "expire_registrations",
  every: minutes(1),
  run: async ({ signal }) => ({ registrations: await expire(deps, signal) }),
});
