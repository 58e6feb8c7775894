export { deleteSession } from "./delete-session.ts";
export { endPreparedSessions } from "./end-prepared-sessions.ts";
export { endAttemptsOfAnswers } from "./ended-attempts.store.ts";
export { type ExpireSessionsDeps, expireSessions } from "./expire-sessions.ts";
export { removePrepared } from "./remove-prepared.ts";
export { terminateOwnOtherSessions } from "./terminate-own-other-sessions.ts";
export {
  endAccessOfUser,
  signBrowserOut,
  terminateOtherSessions,
  terminateSession,
  terminateSessionsOfUsers,
} from "./terminate-session.ts";
