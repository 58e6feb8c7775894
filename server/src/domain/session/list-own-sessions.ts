import { type Call, requireCaller } from "../../call/index.ts";
import type { Database } from "../../database/index.ts";
import { listSessionsBeside, type OwnSession } from "./own-session.store.ts";

/**
 * Lists sessions of the caller in the browser or device of their token, newest first, at most 100. Sessions of other
 * users there are not listed, because an application is not the browser. For a token without a session the list is
 * empty.
 */
export async function listOwnSessions(deps: { readonly database: Database }, call: Call): Promise<OwnSession[]> {
  const { userId, sessionId } = requireCaller(call);
  if (sessionId === undefined) return [];
  const wanted = { userId, sessionId, now: call.now, limit: 100 };
  return listSessionsBeside(deps.database.read, call.instanceId, wanted);
}
