import { Fault } from "../../base/fault.ts";
import { type Call, requireCaller } from "../../call/index.ts";
import type { Database } from "../../database/index.ts";
import { findSessionByToken } from "./session.store.ts";
import { findVisibleSession, type ReadSession, type SessionViewer } from "./session-list.store.ts";

/** Reads a session, for the bearer of its newest token or a caller who may see it. */
export async function getSession(
  deps: { readonly database: Database },
  call: Call,
  input: { readonly sessionId: string; readonly sessionToken?: string | undefined },
): Promise<ReadSession> {
  const viewer = viewerOf(call);
  const { read } = deps.database;
  const { sessionId, sessionToken } = input;
  const isProven =
    sessionToken !== undefined &&
    (await findSessionByToken(read, call.instanceId, { sessionId, sessionToken })) !== undefined;
  const found = await findVisibleSession(read, call.instanceId, { sessionId, viewer: isProven ? undefined : viewer });
  if (found === undefined) throw new Fault("not_found", "session.not_found", { field: "sessionId" });
  return found;
}

/** Returns what a caller may see of sessions. */
export function viewerOf(call: Call): SessionViewer {
  const { userId, sessionId, access, rights } = requireCaller(call);
  return { userId, sessionId, reach: access.reach("session.read"), isLimited: rights !== undefined };
}
