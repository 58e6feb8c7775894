import type { Tx } from "../../database/index.ts";
import { type Session, takeSessionClients } from "../session/index.ts";
import { insertNotices } from "./logout-notice.store.ts";

/** Step of ending sessions: queues a notice for every client that was signed in to with one of them. */
export async function queueLogoutNotices(tx: Tx, sessions: readonly Session[]): Promise<void> {
  const ended = new Map(sessions.map((session) => [session.sessionId, session]));
  const clients = await takeSessionClients(tx, [...ended.keys()]);
  const notices = clients.flatMap(({ sessionId, clientId, nameId }) => {
    const { userId, details } = ended.get(sessionId) ?? {};
    return userId === undefined || details === undefined
      ? []
      : [{ sessionId, clientId, nameId, userId, ownerId: details.ownerId }];
  });
  await insertNotices(tx, notices);
}
