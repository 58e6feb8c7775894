export { claimLogoutNotice, type QueueDeps } from "./claim-logout-notice.ts";
export { listFailedNotices } from "./failed-notice.store.ts";
export { giveUpNotice } from "./give-up-notice.ts";
export { dropNoticesOfClient, dropNoticesOfSession } from "./logout-notice.store.ts";
export type { LogoutNotice } from "./logout-notice.ts";
export { queueLogoutNotices } from "./queue-logout-notices.ts";
export { settleLogoutNotice } from "./settle-logout-notice.ts";
