import { authorize, type Call, requireCaller } from "../../call/index.ts";
import type { Database, Details, Tx } from "../../database/index.ts";
import { findSession, findSessionByToken, placeSession, type Session } from "../session/index.ts";
import { terminateSession } from "./terminate-session.ts";

export interface DeleteSession {
  readonly sessionId: string;
  readonly sessionToken?: string | undefined;
}

/**
 * Ends a session and what was issued from it. The newest session token stands in for the permission; so does being the
 * user of the session, or calling with a token of it. A session that has ended already is fine.
 */
export async function deleteSession(
  deps: { readonly database: Database },
  call: Call,
  input: DeleteSession,
): Promise<Details> {
  return deps.database.change(call, async (tx) => {
    const found = placeSession(await findSession(tx, tx.instanceId, input.sessionId));
    authorize(call, found, {
      permission: "session.delete",
      readPermission: "session.read",
      absent: "session.not_found",
      isOwn: isOwn(call, found?.session) || (await isProven(tx, input)),
    });
    const { session } = found;
    const terminated = await terminateSession(tx, session.sessionId);
    return terminated?.details ?? session.details;
  });
}

async function isProven(tx: Tx, { sessionId, sessionToken }: DeleteSession): Promise<boolean> {
  if (sessionToken === undefined) return false;
  return (await findSessionByToken(tx, tx.instanceId, { sessionId, sessionToken })) !== undefined;
}

function isOwn(call: Call, session: Session | undefined): boolean {
  const { userId, sessionId } = requireCaller(call);
  return session !== undefined && (session.userId === userId || session.sessionId === sessionId);
}
