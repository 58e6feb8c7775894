export { countOverdueNotifications, deleteNotificationsOfUser, listNewestNotifications } from "./notification.store.ts";
export type {
  Notification,
  NotificationChannel,
  NotificationKind,
  NotificationState,
  NotificationValues,
} from "./notification.ts";
export { openNotification } from "./open-notification.ts";
export { type NewNotification, type QueueDeps, queueNotification } from "./queue-notification.ts";
export { fillUrlTemplate, parseUrlTemplate } from "./url-template.ts";
