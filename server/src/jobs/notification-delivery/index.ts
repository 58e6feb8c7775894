export { causesMessages } from "./causes.ts";
export {
  createNotificationDelivery,
  type NotificationCounts,
  type NotificationDelivery,
  type NotificationDeliveryDeps,
} from "./create-notification-delivery.ts";
