export { causesMessages } from "./causes.ts";
export { createNotificationDelivery, type NotificationDelivery } from "./create-notification-delivery.ts";
