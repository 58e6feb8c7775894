export { type DeleteSession, deleteSession } from "./delete-session.ts";
export { terminateBrowserSessions, terminateSession } from "./terminate-session.ts";
