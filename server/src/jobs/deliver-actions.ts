import { seconds } from "../base/clock.ts";
import type { Delivery } from "../base/delivery.ts";
import type { EventFollowing } from "../extension/index.ts";
import type { Job } from "./job.ts";

export interface DeliverActionsDeps {
  readonly actions: { readonly delivery: Delivery; readonly following: EventFollowing };
}

/** Delivers events and payloads to targets again that did not take them, and what a node left that is gone. */
export const deliverActions = ({ actions }: DeliverActionsDeps): Job => ({
  name: "deliver_actions",
  every: seconds(10),
  run: async () => {
    // Another node may have set the first execution while nothing was heard of it.
    await actions.following.check();
    return actions.delivery.run();
  },
});
