import { seconds } from "../base/clock.ts";
import type { Delivery } from "../base/queue/delivery.ts";
import type { Job } from "./job.ts";

export interface DeliverLogoutsDeps {
  readonly logoutDelivery: Delivery;
}

/** Notifies clients of ended sessions when the first attempt failed, or the node that should have made it is gone. */
export const deliverLogouts = ({ logoutDelivery }: DeliverLogoutsDeps): Job => ({
  name: "deliver_logouts",
  every: seconds(10),
  run: () => logoutDelivery.run(),
});
