import { minutes } from "../base/clock.ts";
import type { Outbound } from "../base/outbound/index.ts";
import type { Database } from "../database/index.ts";
import { listDuePartners } from "../domain/application/index.ts";
import { type RefreshOutcome, refreshSamlMetadata as refresh } from "../domain/registration/index.ts";
import type { Job } from "./job.ts";

export interface RefreshSamlMetadataDeps {
  readonly database: Database;
  readonly outbound: Outbound;
}

// One after the other: servers that never answer hold up no more than the others of the same run.
const mostInRun = 50;

/** Fetches the metadata of SAML applications again that was fetched from an address. */
export const refreshSamlMetadata = (deps: RefreshSamlMetadataDeps): Job => ({
  name: "refresh_saml_metadata",
  every: minutes(5),
  run: async ({ now, signal }) => {
    const counts: Record<RefreshOutcome, number> = { refreshed: 0, unchanged: 0, failed: 0 };
    for (const due of await listDuePartners(deps.database.read, now, mostInRun)) {
      if (signal.aborted) break;
      const { instanceId } = due;
      const call = { instanceId, requestId: "job refresh_saml_metadata", now, language: "en" } as const;
      counts[await refresh(deps, call, due)] += 1;
    }
    return counts;
  },
});
