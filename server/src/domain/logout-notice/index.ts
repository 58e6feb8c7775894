export { claimForVisit, isVisited, listNoticesOfBrowser } from "./browser-notice.store.ts";
export {
  claimLogoutNotice,
  createNoticeTurns,
  type QueueDeps,
} from "./claim-logout-notice.ts";
export { listFailedNotices } from "./failed-notice.store.ts";
export { forgetClientOfUsers } from "./forget-client-of-users.ts";
export { giveUpNotice } from "./give-up-notice.ts";
export { type AfterLogout, forgetAfterLogout, leadThroughPartners, readAfterLogout } from "./lead-through-partners.ts";
export { limitWaitingNotices } from "./limit-waiting-notices.ts";
export { dropNoticesOfClient, dropNoticesOfParticipant } from "./logout-notice.store.ts";
export type { DueNotice, LogoutNotice, NoticePayer } from "./logout-notice.ts";
export { queueLogoutNotices } from "./queue-logout-notices.ts";
export { settleLogoutNotice } from "./settle-logout-notice.ts";
export { takeNoticesBack } from "./take-notices-back.ts";
