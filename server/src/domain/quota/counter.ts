import type { Instant } from "../../base/clock.ts";
import { Fault } from "../../base/fault.ts";
import { piecesOf, type Quota } from "./quota.ts";

/** What was counted in pieces, by all processes and by this one. */
export interface Count {
  /** What all processes had counted when this one last read or wrote the row. */
  known: number;
  /** What this process counted since. */
  pending: number;
  /** The part that is being written. */
  writing: number;
}

/** What a process counted of a quota in one period. */
export interface Counter extends Count {
  quota: Quota;
  readonly periodStart: Instant;
  /** The part of it that the scripts of organizations used. */
  readonly shares: Map<string, Count>;
  /** The organizations that have a part of it, once this process knows them. */
  sharers?: readonly string[];
  /** Notifications that are known to be queued. */
  readonly queued: Set<string>;
}

/** The counters of a process, by quota and period. */
export type Counters = Map<string, Counter>;

/** Returns the counter of a quota in a period, with the current terms of the quota. */
export function counterOf(counters: Counters, quota: Quota, periodStart: Instant): Counter {
  const key = `${quota.quotaId} ${periodStart}`;
  const counter = counters.get(key) ?? { quota, periodStart, ...nothing, shares: new Map(), queued: new Set() };
  counter.quota = quota;
  counters.set(key, counter);
  return counter;
}

const nothing: Count = { known: 0, pending: 0, writing: 0 };

/** Returns the count of an organization's scripts. */
export function shareOf({ shares }: Counter, organizationId: string): Count {
  const share = shares.get(organizationId) ?? { ...nothing };
  shares.set(organizationId, share);
  return share;
}

/** Returns everything that was counted. */
export const total = ({ known, pending, writing }: Count): number => known + pending + writing;

/** Returns how many pieces may be used in a period. */
export const limitOf = ({ quota }: Counter): number =>
  quota.isLimited ? quota.amount * piecesOf[quota.unit] : Number.POSITIVE_INFINITY;

/** Throws `resource_exhausted` when a quota with a limit is used up. */
export function refuseIfUsedUp(counter: Counter, now: Instant): void {
  if (total(counter) >= limitOf(counter)) throw usedUp(counter, now);
}

/** Returns the Fault that says when the next period begins. */
export function usedUp({ periodStart, quota }: Counter, now: Instant): Fault {
  const left = Math.max(1, Math.ceil((periodStart + quota.resetInterval - now) / 1000));
  return new Fault("resource_exhausted", "quota.exhausted", { values: { seconds: left } });
}
