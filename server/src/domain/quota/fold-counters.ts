import { type Clock, type Instant, seconds } from "../../base/clock.ts";
import type { IdGenerator } from "../../base/id.ts";
import type { Database, Warn } from "../../database/index.ts";
import { queueCall } from "./claim-quota-call.ts";
import { type Count, type Counter, type Counters, shareOf } from "./counter.ts";
import { queueNotifications } from "./queue-notifications.ts";
import { type DueNotification, dueNotifications, periodStartOf, runTime } from "./quota.ts";
import { addShares, addUsage, deletePastUsage, listShares } from "./usage.store.ts";

export interface FoldDeps {
  readonly database: Database;
  readonly clock: Clock;
  readonly newId: IdGenerator;
  readonly warn: Warn;
}

/** Adds counters to the rows. */
export interface Fold {
  /** Adds what was counted before it was asked for, and returns how many counters had something. */
  fold(): Promise<number>;
  /** Begins to add, unless that happened a moment ago. */
  foldIfDue(now: Instant): void;
}

// How far processes may be behind each other, and how much a crash loses.
const foldEvery = seconds(5);

/** Creates what adds the counters of a process to the rows, one run at a time. */
export function createFold(deps: FoldDeps, counters: Counters): Fold {
  let folding: Promise<number> | undefined;
  let foldedAt: Instant = 0;
  const run = (): Promise<number> => {
    foldedAt = deps.clock();
    return foldAll(deps, counters);
  };
  const fold = (): Promise<number> => {
    const folded = (folding ?? Promise.resolve()).then(run, run).finally(() => {
      if (folding === folded) folding = undefined;
    });
    folding = folded;
    return folded;
  };
  return {
    fold,
    foldIfDue: (now) => {
      if (folding !== undefined || (now - foldedAt < foldEvery && now >= foldedAt)) return;
      fold().catch((error: unknown) => {
        deps.warn("what was counted of quotas could not be written; it is tried again", { error });
      });
    },
  };
}

// A counter that cannot be written does not hold up the others.
async function foldAll(deps: FoldDeps, counters: Counters): Promise<number> {
  const now = deps.clock();
  let count = 0;
  let failure: { readonly error: unknown } | undefined;
  for (const [key, counter] of [...counters]) {
    if (counter.pending === 0) {
      if (periodStartOf(counter.quota, now) !== counter.periodStart) counters.delete(key);
      continue;
    }
    try {
      if (!(await writeCounter(deps, counter))) counters.delete(key);
      count++;
    } catch (error) {
      failure ??= { error };
    }
  }
  if (failure !== undefined) throw failure.error;
  return count;
}

/** Adds what a counter has to its row, and queues what is due by the new total. False when the quota is gone. */
async function writeCounter(deps: FoldDeps, counter: Counter): Promise<boolean> {
  const { quota, periodStart, pending: pieces } = counter;
  const call = queueCall(quota.instanceId, deps.clock());
  const shares = new Map([...counter.shares].filter(([, { pending }]) => pending > 0));
  const counts = [counter, ...shares.values()];
  for (const count of counts) beginWriting(count);
  try {
    const written = await deps.database.touch(call, async (tx) => {
      const added = await addUsage(tx, quota, { periodStart, pieces });
      // The first of a period: what came before the last one is of no use.
      if (added === pieces) await deletePastUsage(tx, quota, periodStart - quota.resetInterval);
      if (added === undefined) return undefined;
      const ofShares = new Map([...shares].map(([organizationId, { writing }]) => [organizationId, writing]));
      await addShares(tx, quota, periodStart, ofShares);
      return { used: added, shares: quota.unit === runTime ? await listShares(tx, quota, periodStart) : noShares };
    });
    if (written === undefined) return false;
    const { used } = written;
    counter.known = used;
    // Also of organizations whose scripts ran in other processes alone: the rest of the total is of targets.
    for (const [organizationId, ofShare] of written.shares) shareOf(counter, organizationId).known = ofShare;
    for (const count of counts) count.writing = 0;
    const due = dueNotifications(quota, used).filter((each) => !counter.queued.has(nameOf(each)));
    if (due.length === 0) return true;
    await queueNotifications(deps, call, { quota, periodStart, used, due });
    for (const each of due) counter.queued.add(nameOf(each));
    return true;
  } catch (error) {
    for (const count of counts) {
      count.pending += count.writing;
      count.writing = 0;
    }
    throw error;
  }
}

const noShares: ReadonlyMap<string, number> = new Map();

function beginWriting(count: Count): void {
  count.writing = count.pending;
  count.pending = 0;
}

const nameOf = ({ notificationId, threshold }: DueNotification): string => `${notificationId} ${threshold}`;
