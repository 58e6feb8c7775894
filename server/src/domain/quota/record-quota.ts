import { toIso } from "../../base/clock.ts";
import type { Tx } from "../../database/index.ts";
import { type Quota, quotaAggregate } from "./quota.ts";

/** Step: records the terms of a quota. The addresses that are called stay with the operator. */
export function recordQuota(tx: Tx, type: "quota.added" | "quota.set", quota: Quota): void {
  const { unit, beginsAt, resetInterval, amount, isLimited, notifications } = quota;
  tx.record({
    type,
    ...quotaAggregate(quota),
    sequence: quota.details.sequence,
    payload: {
      unit,
      from: toIso(beginsAt),
      interval: resetInterval,
      amount,
      limit: isLimited,
      notifications: notifications.map(({ percent, isRepeated }) => ({ percent, repeat: isRepeated })),
    },
  });
}
