export { type DeleteSession, deleteSession } from "./delete-session.ts";
export { terminateBrowserSessions, terminateSession, terminateSessionsOfUser } from "./terminate-session.ts";
