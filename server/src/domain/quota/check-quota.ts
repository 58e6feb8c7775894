import { minutes } from "../../base/clock.ts";
import { Fault } from "../../base/fault.ts";
import type { TargetRule } from "../../base/outbound/index.ts";
import type { QuotaTerms } from "./quota.ts";

export interface CheckQuotaDeps {
  readonly allowsTarget: TargetRule;
}

const shortestInterval = minutes(1);
// Times a thousand and a hundred it is still a number without a fraction, or nearly so.
const largestAmount = 1_000_000_000_000;
const mostNotifications = 20;

/** Refuses terms that cannot be counted, and addresses that cannot be called. */
export function checkQuota({ allowsTarget }: CheckQuotaDeps, terms: QuotaTerms): void {
  const { resetInterval, amount, notifications } = terms;
  if (resetInterval < shortestInterval) {
    throw new Fault("invalid_argument", "quota.interval_too_short", { field: "reset_interval" });
  }
  if (amount < 1 || amount > largestAmount) {
    throw new Fault("invalid_argument", "quota.amount_invalid", {
      field: "amount",
      values: { maximum: largestAmount },
    });
  }
  if (notifications.length > mostNotifications) {
    const values = { maximum: mostNotifications };
    throw new Fault("invalid_argument", "quota.too_many_notifications", { field: "notifications", values });
  }
  for (const [index, { callUrl }] of notifications.entries()) {
    if (allowsTarget(callUrl) === "allowed") continue;
    throw new Fault("invalid_argument", "quota.call_url_invalid", { field: `notifications[${index}].call_url` });
  }
}
