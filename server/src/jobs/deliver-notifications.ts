import { seconds } from "../base/clock.ts";
import type { Job } from "./job.ts";
import type { NotificationDelivery } from "./notification-delivery/index.ts";

export interface DeliverNotificationsDeps {
  readonly notificationDelivery: Pick<NotificationDelivery, "run">;
}

/** Sends messages when the first attempt failed or its node is gone, and gives up those that have expired. */
export const deliverNotifications = ({ notificationDelivery }: DeliverNotificationsDeps): Job => ({
  name: "deliver_notifications",
  every: seconds(10),
  run: () => notificationDelivery.run(),
});
