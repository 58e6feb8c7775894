import type { Tx } from "../../database/index.ts";
import { type Session, takeSessionClients } from "../session/index.ts";
import { insertNotice } from "./logout-notice.store.ts";

/** Step of ending a session: queues a notice for every client that was signed in to with it. */
export async function queueLogoutNotices(tx: Tx, session: Session): Promise<void> {
  const { sessionId, userId, details } = session;
  for (const clientId of await takeSessionClients(tx, sessionId)) {
    if (userId !== undefined) await insertNotice(tx, { sessionId, clientId, userId, ownerId: details.ownerId });
  }
}
