export { deleteSession } from "./delete-session.ts";
export { endPreparedSessions } from "./end-prepared-sessions.ts";
export { type ExpireSessionsDeps, expireSessions } from "./expire-sessions.ts";
export { removePrepared } from "./remove-prepared.ts";
export { terminateOwnOtherSessions } from "./terminate-own-other-sessions.ts";
export {
  signBrowserOut,
  terminateOtherSessions,
  terminateSession,
  terminateSessionsOfUser,
  terminateSessionsOfUsers,
} from "./terminate-session.ts";
