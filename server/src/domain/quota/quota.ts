import { hash } from "node:crypto";
import type { Instant } from "../../base/clock.ts";
import type { Details } from "../../database/index.ts";

/** What is counted. */
export type QuotaUnit = "requests.all.authenticated" | "actions.all.runs.seconds";

/** The unit that has parts (`run-time-parts.ts`). */
export const runTime = "actions.all.runs.seconds" satisfies QuotaUnit;

/** How many counted pieces one of an amount has: run time is counted in milliseconds. */
export const piecesOf: Readonly<Record<QuotaUnit, number>> = {
  "requests.all.authenticated": 1,
  "actions.all.runs.seconds": 1000,
};

/** An address that is called when a share of the amount is used up. */
export interface QuotaNotification {
  readonly percent: number;
  /** Whether it is also called at each multiple of the share. */
  readonly isRepeated: boolean;
  readonly callUrl: string;
}

/** How much an instance may use in a period. */
export interface QuotaTerms {
  /** When the first period begins. */
  readonly beginsAt: Instant;
  /** Length of a period in milliseconds. */
  readonly resetInterval: number;
  readonly amount: number;
  /** Whether requests are refused when the amount is used up. */
  readonly isLimited: boolean;
  readonly notifications: readonly QuotaNotification[];
}

/** A quota of an instance. */
export interface Quota extends QuotaTerms {
  readonly instanceId: string;
  readonly quotaId: string;
  readonly unit: QuotaUnit;
  readonly details: Details;
}

/** Returns when the period of an instant began; undefined before the first one. */
export function periodStartOf(
  { beginsAt, resetInterval }: Pick<QuotaTerms, "beginsAt" | "resetInterval">,
  now: Instant,
): Instant | undefined {
  if (now < beginsAt) return undefined;
  return beginsAt + Math.floor((now - beginsAt) / resetInterval) * resetInterval;
}

/** A notification whose threshold is reached. */
export interface DueNotification {
  readonly notificationId: string;
  readonly threshold: number;
  readonly callUrl: string;
}

/**
 * Returns the notifications that are due when so many pieces were used. Of several multiples that were reached at once,
 * a repeated notification has only the highest.
 */
export function dueNotifications({ unit, amount, notifications }: Quota, used: number): DueNotification[] {
  const percentUsed = Math.floor((used * 100) / (amount * piecesOf[unit]));
  return notifications
    .filter(({ percent }) => percent <= percentUsed)
    .map((notification) => {
      const { percent, isRepeated, callUrl } = notification;
      const threshold = isRepeated ? Math.floor(percentUsed / percent) * percent : percent;
      return { notificationId: nameOf(notification), threshold, callUrl };
    });
}

const nameOf = ({ percent, isRepeated, callUrl }: QuotaNotification): string =>
  hash("sha256", JSON.stringify([percent, isRepeated, callUrl]), "base64url").slice(0, 22);

/** The event aggregate of a quota. */
export const quotaAggregate = ({ quotaId, instanceId }: Pick<Quota, "quotaId" | "instanceId">) =>
  ({ aggregateType: "quota", aggregateId: quotaId, ownerId: instanceId }) as const;
