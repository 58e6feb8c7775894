import { Fault } from "../../base/fault.ts";
import { authorize, type Call, requireCaller } from "../../call/index.ts";
import type { Database, Details, Tx } from "../../database/index.ts";
import { mayActFor } from "../administrator-access/index.ts";
import { findSession, findSessionByToken, isOfLogin, type Session, scopedSession } from "../session/index.ts";
import { terminateSession } from "./terminate-session.ts";

export interface DeleteSession {
  readonly sessionId: string;
  readonly sessionToken?: string | undefined;
}

/**
 * Ends a session and what was issued from it. The newest session token stands in for the permission; so does being the
 * user of the session, or calling with a token of it. A sign-in application without the token ends only sessions that
 * it made. Succeeds if the session has already ended.
 */
export async function deleteSession(
  deps: { readonly database: Database },
  call: Call,
  input: DeleteSession,
): Promise<Details> {
  return deps.database.change(call, async (tx) => {
    const found = scopedSession(await findSession(tx, tx.instanceId, input.sessionId));
    const isAllowed = isOwn(call, found?.session) || isOfLogin(call, found?.session) || (await isProven(tx, input));
    authorize(call, found, {
      permission: "session.delete",
      readPermission: "session.read",
      absent: "session.not_found",
      isOwn: isAllowed,
      isBeyondLogin: true,
    });
    const { session } = found;
    if (!isAllowed) await requirePower(tx, call, session);
    const terminated = await terminateSession(tx, session.sessionId);
    return terminated?.details ?? session.details;
  });
}

// As with locking: managers of users must not be able to stop administrators with more rights from working.
async function requirePower(tx: Tx, call: Call, { userId, organizationId }: Session): Promise<void> {
  if (userId === undefined || organizationId === undefined) return;
  if (await mayActFor(tx, call, userId, { organizationId })) return;
  throw new Fault("permission_denied", "user.administers_more", { field: "sessionId" });
}

async function isProven(tx: Tx, { sessionId, sessionToken }: DeleteSession): Promise<boolean> {
  if (sessionToken === undefined) return false;
  return (await findSessionByToken(tx, tx.instanceId, { sessionId, sessionToken })) !== undefined;
}

function isOwn(call: Call, session: Session | undefined): boolean {
  const { userId, sessionId } = requireCaller(call);
  return session !== undefined && (session.userId === userId || session.sessionId === sessionId);
}
