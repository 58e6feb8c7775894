import { seconds } from "../base/clock.ts";
import type { Delivery } from "../base/queue/delivery.ts";
import type { QuotaMeter } from "../domain/quota/index.ts";
import type { Job } from "./job.ts";

export interface MeterQuotasDeps {
  readonly quotaMeter: QuotaMeter;
  readonly quotaDelivery: Delivery;
}

/** Writes what this process counted of quotas since the last request that made it do so. */
export const foldQuotas = ({ quotaMeter }: Pick<MeterQuotasDeps, "quotaMeter">): Job => ({
  name: "fold_quotas",
  every: seconds(5),
  run: async () => ({ rows: await quotaMeter.fold() }),
});

/** Calls the addresses of quotas when the first attempt failed, or the node that should have made it is gone. */
export const deliverQuotaNotifications = ({ quotaDelivery }: Pick<MeterQuotasDeps, "quotaDelivery">): Job => ({
  name: "deliver_quota_notifications",
  every: seconds(10),
  run: () => quotaDelivery.run(),
});
