import type { Call } from "../../call/index.ts";
import type { QueueDeps } from "./claim-logout-notice.ts";
import { findDueInstance } from "./due-notice.store.ts";
import { findFullPayer, listExcessNotices, takeNotices } from "./excess-notice.store.ts";
import type { NoticePayer } from "./logout-notice.ts";
import { recordEnd } from "./settle-logout-notice.ts";

/** How many notices of one organization may wait. */
export interface NoticeBounds {
  /** To its own applications. */
  readonly own: number;
  /** To clients that strangers registered there. */
  readonly ofStrangers: number;
}

// All sessions of a large organization may end at once, and each client is told at least once.
const usualBounds: NoticeBounds = { own: 100_000, ofStrangers: 10_000 };
// Notices that are looked up together, and those that one unit of work gives up.
const listed = 5000;
const portion = 100;
const whenever = Number.MAX_SAFE_INTEGER;

/**
 * Gives up notices of organizations for which more wait than they may: those that failed most, and of these the oldest.
 * Each is recorded as any notice that failed; returns how many.
 */
export async function limitWaitingNotices(
  deps: QueueDeps,
  { bounds = usualBounds, signal }: { readonly bounds?: NoticeBounds; readonly signal?: AbortSignal } = {},
): Promise<number> {
  const { read } = deps.database;
  let count = 0;
  let instanceId = await findDueInstance(read, { now: whenever, after: "", except: [] });
  while (instanceId !== undefined) {
    for (const isOfStranger of [false, true]) {
      const bound = isOfStranger ? bounds.ofStrangers : bounds.own;
      const kind = { instanceId, isOfStranger };
      let organizationId = await findFullPayer(read, kind, { after: undefined, bound });
      while (organizationId !== undefined && signal?.aborted !== true) {
        count += await giveUpExcess(deps, { ...kind, organizationId }, bound);
        organizationId = await findFullPayer(read, kind, { after: organizationId, bound });
      }
    }
    instanceId = await findDueInstance(read, { now: whenever, after: instanceId, except: [] });
  }
  return count;
}

// What is beyond the listed ones is for the next time.
async function giveUpExcess({ database, clock }: QueueDeps, payer: NoticePayer, bound: number): Promise<number> {
  const excess = await listExcessNotices(database.read, payer, { bound, limit: listed });
  let count = 0;
  for (let from = 0; from < excess.length; from += portion) {
    const call: Call = { instanceId: payer.instanceId, requestId: "logout notices", now: clock(), language: "en" };
    count += await database.change(call, async (tx) => {
      const taken = await takeNotices(tx, excess.slice(from, from + portion));
      for (const notice of taken) recordEnd(tx, notice, "too_many");
      return taken.length;
    });
  }
  return count;
}
