import { createFairTurns } from "../base/budget/fair-turns.ts";
import { minutes } from "../base/clock.ts";
import type { Outbound } from "../base/outbound/index.ts";
import type { Database } from "../database/index.ts";
import { type DuePartner, listDuePartners } from "../domain/application/index.ts";
import { type RefreshOutcome, refreshSamlMetadata as refresh } from "../domain/registration/index.ts";
import type { Job } from "./job.ts";

export interface RefreshSamlMetadataDeps {
  readonly database: Database;
  readonly outbound: Outbound;
}

// An organization may have many applications whose metadata is due again at once, on servers that never answer.
const most = { inAll: 200, ofOrganization: 50 } as const;
// How many are fetched at a time, in all, of one instance and of one organization.
const fetching = { permits: 8, shares: [6, 1] } as const;

/**
 * Fetches the metadata of SAML applications again that was fetched from an address: in turns of instances and
 * organizations, so that none has others' expire.
 */
export const refreshSamlMetadata = (deps: RefreshSamlMetadataDeps): Job => ({
  name: "refresh_saml_metadata",
  every: minutes(5),
  run: async ({ now, signal }) => {
    const counts: Record<RefreshOutcome, number> = { refreshed: 0, unchanged: 0, failed: 0 };
    const turns = createFairTurns({ ...fetching, queueLimits: [most.inAll], queueLimit: most.inAll });
    const fetchOne = async (due: DuePartner): Promise<void> => {
      if (signal.aborted) return;
      const { instanceId } = due;
      const call = { instanceId, requestId: "job refresh_saml_metadata", now, language: "en" } as const;
      const outcome = await refresh(deps, call, due);
      counts[outcome] += 1;
    };
    const list = await listDuePartners(deps.database.read, now, most);
    const fetches = list.map((due) => turns.run([due.instanceId, due.organizationId], () => fetchOne(due)));
    // None goes on after the run.
    await Promise.allSettled(fetches);
    await Promise.all(fetches);
    return counts;
  },
});
