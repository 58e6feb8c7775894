import { type Call, requireCaller } from "../../call/index.ts";
import type { Database } from "../../database/index.ts";
import { listSessionsBeside, type OwnSession } from "./own-session.store.ts";

/**
 * Sessions of the caller in the browser or device that his token comes from, newest first, at most 100. Other people's sessions there
 * are not told: an application is not the browser. A token without a session comes from nowhere.
 */
export async function listOwnSessions(deps: { readonly database: Database }, call: Call): Promise<OwnSession[]> {
  const { userId, sessionId } = requireCaller(call);
  if (sessionId === undefined) return [];
  const wanted = { userId, sessionId, now: call.now, limit: 100 };
  return listSessionsBeside(deps.database.read, call.instanceId, wanted);
}
