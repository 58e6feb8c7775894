export { type DeleteSession, deleteSession } from "./delete-session.ts";
export { type ExpireSessionsDeps, expireSessions } from "./expire-sessions.ts";
export {
  terminateBrowserSessions,
  terminateOtherSessions,
  terminateSession,
  terminateSessionsOfUser,
} from "./terminate-session.ts";
