import { seconds } from "../base/clock.ts";
import type { Database } from "../database/index.ts";
import { foldAuthorizationCounts } from "../domain/authorization/index.ts";
import { foldUserCounts } from "../domain/user/index.ts";
import type { Job } from "./job.ts";

/** Compacts the counts of users and role assignments on PostgreSQL, where each change adds rows to them. */
export const foldCounts = (deps: { readonly database: Database }): Job => ({
  name: "fold_counts",
  every: seconds(30),
  run: async ({ now }) => {
    const call = { instanceId: "", requestId: "job fold_counts", now, language: "en" } as const;
    return { rows: (await foldUserCounts(deps, call)) + (await foldAuthorizationCounts(deps, call)) };
  },
});
