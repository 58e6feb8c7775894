import type { Tx } from "../../database/index.ts";
import { type Session, takeSessionClients } from "../session/index.ts";
import { insertNotice } from "./logout-notice.store.ts";

/** Step of ending a session: every client that was signed in to with it has to be told. */
export async function queueLogoutNotices(tx: Tx, session: Session): Promise<void> {
  const { sessionId, userId, details } = session;
  for (const clientId of await takeSessionClients(tx, sessionId)) {
    if (userId !== undefined) await insertNotice(tx, { sessionId, clientId, userId, ownerId: details.ownerId });
  }
}
