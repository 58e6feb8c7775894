import { seconds } from "../base/clock.ts";
import type { Delivery } from "../base/queue/delivery.ts";
import type { EventFollowing } from "../extension/index.ts";
import type { Job } from "./job.ts";

export interface DeliverActionsDeps {
  readonly actions: { readonly delivery: Delivery; readonly following: EventFollowing };
}

/** Repeats deliveries of events and payloads that failed, and takes over those of nodes that are gone. */
export const deliverActions = ({ actions }: DeliverActionsDeps): Job => ({
  name: "deliver_actions",
  every: seconds(10),
  run: async () => {
    // Another node may have set the first execution without this one being notified.
    await actions.following.check();
    return actions.delivery.run();
  },
});
