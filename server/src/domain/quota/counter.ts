import type { Instant } from "../../base/clock.ts";
import { Fault } from "../../base/fault.ts";
import { piecesOf, type Quota } from "./quota.ts";

/** What a process counted of a quota in one period. */
export interface Counter {
  quota: Quota;
  readonly periodStart: Instant;
  /** What all processes had counted when this one last read or wrote the row. */
  known: number;
  /** What this process counted since. */
  pending: number;
  /** The part that is being written. */
  writing: number;
  /** Notifications that are known to be queued. */
  readonly queued: Set<string>;
}

/** The counters of a process, by quota and period. */
export type Counters = Map<string, Counter>;

/** Returns the counter of a quota in a period, with the current terms of the quota. */
export function counterOf(counters: Counters, quota: Quota, periodStart: Instant): Counter {
  const key = `${quota.quotaId} ${periodStart}`;
  const counter = counters.get(key) ?? { quota, periodStart, known: 0, pending: 0, writing: 0, queued: new Set() };
  counter.quota = quota;
  counters.set(key, counter);
  return counter;
}

/** Throws `resource_exhausted` when a quota with a limit is used up. */
export function refuseIfUsedUp({ quota, periodStart, known, pending, writing }: Counter, now: Instant): void {
  if (!quota.isLimited || known + pending + writing < quota.amount * piecesOf[quota.unit]) return;
  const left = Math.max(1, Math.ceil((periodStart + quota.resetInterval - now) / 1000));
  throw new Fault("resource_exhausted", "quota.exhausted", { values: { seconds: left } });
}
