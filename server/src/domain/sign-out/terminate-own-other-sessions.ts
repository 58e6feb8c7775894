import { type Call, requireCaller } from "../../call/index.ts";
import type { Database } from "../../database/index.ts";
import { terminateOtherSessions } from "./terminate-session.ts";

/** Ends every session of the caller, with what was issued from it, except the caller's current one. */
export async function terminateOwnOtherSessions(deps: { readonly database: Database }, call: Call): Promise<void> {
  const { userId, sessionId } = requireCaller(call);
  await deps.database.change(call, (tx) => terminateOtherSessions(tx, userId, { sessionId }));
}
