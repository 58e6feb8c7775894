import type { Call } from "../../call/index.ts";
import { createCache } from "../../database/index.ts";
import { type Counter, type Counters, counterOf, isShareUsedUp, refuseIfUsedUp, shareOf } from "./counter.ts";
import { createFold, type FoldDeps } from "./fold-counters.ts";
import { listQuotas } from "./quota.store.ts";
import { periodStartOf, type Quota, type QuotaUnit } from "./quota.ts";
import { findUsage, listShares } from "./usage.store.ts";

type Moment = Pick<Call, "instanceId" | "now">;

/** Counts what instances use of their quotas. Answers at once when the quotas of the instance are in memory. */
export interface QuotaMeter {
  /** Counts an authenticated request. Throws `resource_exhausted` when the quota is used up. */
  takeRequest(call: Moment): void | Promise<void>;
  /** Throws `resource_exhausted` when the run time of actions is used up. */
  checkRunTime(call: Moment): void | Promise<void>;
  /** Whether scripts of an organization may run: there is run time left, and not only what is left to others. */
  hasRunTime(call: Moment, organizationId: string): boolean | Promise<boolean>;
  /** Counts milliseconds that an action ran, in the share of the organization whose script it was. */
  addRunTime(call: Moment, milliseconds: number, organizationId?: string): void | Promise<void>;
  /** Adds what was counted to the rows, and returns how many of them. */
  fold(): Promise<number>;
}

/** Creates the meter of a process. */
export function createQuotaMeter(deps: FoldDeps): QuotaMeter {
  const { database, clock } = deps;
  const counters: Counters = new Map();
  const { fold, foldIfDue } = createFold(deps, counters);

  const cache = createCache<readonly Quota[]>(database, {
    load: async (instanceId) => {
      const quotas = await listQuotas(database.read, instanceId);
      for (const quota of quotas) {
        const periodStart = periodStartOf(quota, clock());
        if (periodStart === undefined) continue;
        const used = await findUsage(database.read, quota, periodStart);
        const counter = counterOf(counters, quota, periodStart);
        counter.known = Math.max(counter.known, used);
        if (quota.unit !== "actions.all.runs.seconds") continue;
        for (const [organizationId, ofShare] of await listShares(database.read, quota, periodStart)) {
          const share = shareOf(counter, organizationId);
          share.known = Math.max(share.known, ofShare);
        }
      }
      return quotas;
    },
    aggregateTypes: ["quota"],
    isStaleAfter: (event, _quotas, instanceId) => event.instanceId === instanceId,
  });

  const withCounter = (
    { instanceId, now }: Moment,
    unit: QuotaUnit,
    work: (counter: Counter) => void,
  ): void | Promise<void> => {
    const use = (quotas: readonly Quota[] = []): void => {
      const quota = quotas.find((each) => each.unit === unit);
      const periodStart = quota && periodStartOf(quota, now);
      if (quota === undefined || periodStart === undefined) return;
      work(counterOf(counters, quota, periodStart));
      foldIfDue(now);
    };
    const quotas = cache.get(instanceId);
    return quotas instanceof Promise ? quotas.then(use) : use(quotas);
  };

  return {
    takeRequest: (call) =>
      withCounter(call, "requests.all.authenticated", (counter) => {
        refuseIfUsedUp(counter, call.now);
        counter.pending += 1;
      }),
    checkRunTime: (call) =>
      withCounter(call, "actions.all.runs.seconds", (counter) => refuseIfUsedUp(counter, call.now)),
    hasRunTime: (call, organizationId) => {
      let isLeft = true;
      const isKnown = withCounter(call, "actions.all.runs.seconds", (counter) => {
        isLeft = !isShareUsedUp(counter, organizationId);
      });
      return isKnown instanceof Promise ? isKnown.then(() => isLeft) : isLeft;
    },
    addRunTime: (call, milliseconds, organizationId) =>
      withCounter(call, "actions.all.runs.seconds", (counter) => {
        const pieces = Math.max(1, Math.ceil(milliseconds));
        counter.pending += pieces;
        if (organizationId !== undefined) shareOf(counter, organizationId).pending += pieces;
      }),
    fold,
  };
}
