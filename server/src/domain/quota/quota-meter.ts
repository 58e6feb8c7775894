import type { Call } from "../../call/index.ts";
import { createCache } from "../../database/index.ts";
import { type Counter, type Counters, counterOf, refuseIfUsedUp, shareOf, usedUp } from "./counter.ts";
import { createFold, type FoldDeps } from "./fold-counters.ts";
import { listQuotas } from "./quota.store.ts";
import { periodStartOf, type Quota, type QuotaUnit, runTime } from "./quota.ts";
import { mayRun } from "./run-time-parts.ts";
import { createSettleSharers } from "./settle-sharers.ts";
import { findUsage, listShares } from "./usage.store.ts";

type Moment = Pick<Call, "instanceId" | "now">;

/** Counts what instances use of their quotas. Answers at once when the quotas of the instance are in memory. */
export interface QuotaMeter {
  /** Counts an authenticated request. Throws `resource_exhausted` when the quota is used up. */
  takeRequest(call: Moment): void | Promise<void>;
  /** Throws `resource_exhausted` when targets may not run: what is left of the run time is only for scripts. */
  checkRunTime(call: Moment): void | Promise<void>;
  /** Whether scripts of an organization may run: what is left of the run time is not only for others. */
  hasRunTime(call: Moment, organizationId: string): boolean | Promise<boolean>;
  /** Counts milliseconds that an action ran, in the share of the organization whose script it was. */
  addRunTime(call: Moment, milliseconds: number, organizationId?: string): void | Promise<void>;
  /** Adds what was counted to the rows, and returns how many of them. */
  fold(): Promise<number>;
}

interface Decision {
  readonly counter: Counter;
  readonly mayRun: boolean;
}

const isLeft = (decision: Decision | undefined): boolean => decision?.mayRun !== false;

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
        if (quota.unit !== runTime) continue;
        for (const [organizationId, ofShare] of await listShares(database.read, quota, periodStart)) {
          const share = shareOf(counter, organizationId);
          share.known = Math.max(share.known, ofShare);
        }
      }
      return quotas;
    },
    aggregateTypes: ["quota"],
    isStaleAfter: (event, _quotas, instanceId) => event.instanceId === instanceId,
    lengthOf: (quotas) => JSON.stringify(quotas).length,
  });

  const settleSharers = createSettleSharers(deps);
  const withCounter = <Result>(
    { instanceId, now }: Moment,
    unit: QuotaUnit,
    work: (counter: Counter) => Result | Promise<Result>,
  ): Result | undefined | Promise<Result | undefined> => {
    const use = (quotas: readonly Quota[] = []): Result | undefined | Promise<Result> => {
      const quota = quotas.find((each) => each.unit === unit);
      const periodStart = quota && periodStartOf(quota, now);
      if (quota === undefined || periodStart === undefined) return undefined;
      const result = work(counterOf(counters, quota, periodStart));
      foldIfDue(now);
      return result;
    };
    const quotas = cache.get(instanceId);
    return quotas instanceof Promise ? quotas.then(use) : use(quotas);
  };

  /** Whether targets or the scripts of an organization may run, with what was counted; undefined without a quota. */
  const decide = (call: Moment, organizationId?: string) =>
    withCounter<Decision>(call, runTime, (counter) => {
      if (!counter.quota.isLimited) return { counter, mayRun: true };
      const by = (sharers: readonly string[]) => ({ counter, mayRun: mayRun(counter, sharers, organizationId) });
      const sharers = settleSharers(counter);
      return sharers instanceof Promise ? sharers.then(by) : by(sharers);
    });

  return {
    takeRequest: (call) =>
      withCounter(call, "requests.all.authenticated", (counter) => {
        refuseIfUsedUp(counter, call.now);
        counter.pending += 1;
      }),
    checkRunTime: (call) => {
      const refuse = (decision: Decision | undefined): void => {
        if (decision?.mayRun === false) throw usedUp(decision.counter, call.now);
      };
      const decision = decide(call);
      return decision instanceof Promise ? decision.then(refuse) : refuse(decision);
    },
    hasRunTime: (call, organizationId) => {
      const decision = decide(call, organizationId);
      return decision instanceof Promise ? decision.then(isLeft) : isLeft(decision);
    },
    addRunTime: (call, milliseconds, organizationId) =>
      withCounter(call, runTime, (counter) => {
        const pieces = Math.max(1, Math.ceil(milliseconds));
        counter.pending += pieces;
        if (organizationId !== undefined) shareOf(counter, organizationId).pending += pieces;
      }),
    fold,
  };
}
