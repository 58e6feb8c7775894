import type { Clock } from "../../base/clock.ts";
import type { Call } from "../../call/index.ts";
import type { Database } from "../../database/index.ts";
import { claimNotice, listDueNotices, type NoticesToLeave } from "./logout-notice.store.ts";
import type { DueNotice } from "./logout-notice.ts";

export interface QueueDeps {
  readonly database: Database;
  readonly clock: Clock;
}

// Several, because other nodes may claim the first ones meanwhile.
const candidates = 10;
// A transaction may hold many at once, for example those of a client that is being deleted.
const rounds = 10;

/**
 * Claims one attempt at the notice that has been due the longest, of any instance, organization and client except the
 * given ones; undefined when none is due. The notices are listed without a lock, and the claim is a unit of work of one
 * instance.
 */
export async function claimLogoutNotice(
  { database, clock }: QueueDeps,
  except: NoticesToLeave = { instanceIds: [], organizations: [], clientIds: [] },
): Promise<DueNotice | undefined> {
  const now = clock();
  const held = new Set<string>();
  for (let round = 0; round < rounds; round++) {
    const left = { ...except, clientIds: [...except.clientIds, ...held] };
    const due = await listDueNotices(database.read, { now, except: left, limit: candidates });
    for (const notice of due) {
      const call: Call = { instanceId: notice.instanceId, requestId: "logout notices", now, language: "en" };
      const claimed = await database.touch(call, (tx) => claimNotice(tx, notice));
      if (claimed !== undefined) return { ...claimed, organizationId: notice.organizationId };
    }
    for (const { clientId } of due) held.add(clientId);
    if (due.length < candidates) return undefined;
  }
  return undefined;
}
