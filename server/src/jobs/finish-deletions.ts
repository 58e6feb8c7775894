import { minutes } from "../base/clock.ts";
import { type ClaimDeps, finishClaims } from "../domain/contact/index.ts";
import { type FinishDeps, finishDeletions, finishErasures } from "../domain/deletion/index.ts";
import type { Job } from "./job.ts";

/**
 * Finishes what a crash interrupted: deletions of organizations, the erasure of events of deleted users, and claims of
 * domains.
 */
export const finishDeletionsOfOrganizations = (deps: FinishDeps & ClaimDeps): Job => ({
  name: "finish_deletions",
  every: minutes(5),
  run: async ({ signal }) => {
    // First, so that a failure below does not prevent it.
    const users = await finishErasures(deps, signal);
    let domains = 0;
    let organizations = 0;
    try {
      domains = await finishClaims(deps, signal);
    } finally {
      organizations = await finishDeletions(deps, signal);
    }
    return { users, domains, organizations };
  },
});
