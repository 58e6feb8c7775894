export { type ClaimDeps, claimNotification, createTurns, type DeliveryDeps } from "./claim-notification.ts";
export { listDueQueues } from "./delivery.store.ts";
export { expireNotifications } from "./expire-notifications.ts";
export { listFailedNotifications } from "./failed-notification.store.ts";
export { giveUpNotification } from "./give-up-notification.ts";
export { handOverNotification } from "./hand-over-notification.ts";
export { answerPage, hostedTemplate } from "./hosted-page.ts";
export { isLinkRegistered, isOwnPage, isPageOfInstance } from "./link-origin.ts";
export {
  countFailedNotifications,
  countOverdueNotifications,
  deleteNotificationsOfUsers,
  expiredNotifications,
  listNewestNotifications,
} from "./notification.store.ts";
export type {
  ClaimedNotification,
  Notification,
  NotificationKind,
  NotificationQueue,
  NotificationValues,
} from "./notification.ts";
export { openNotification } from "./open-notification.ts";
export { queueAccountNotice } from "./queue-account-notice.ts";
export { type QueueDeps, queueNotification, type SignalDeps } from "./queue-notification.ts";
export { payForMessage, quietly } from "./quietly.ts";
export { type AttemptOutcome, settleNotification } from "./settle-notification.ts";
export { fillUrlTemplate, parseUrlTemplate } from "./url-template.ts";
