import type { Tx } from "../../database/index.ts";
import { findPayersOfClients } from "../application/index.ts";
import { type Session, takeSessionClients } from "../session/index.ts";
import { insertNotices } from "./logout-notice.store.ts";

// The application is gone.
const noPayer = { organizationId: "", isOfStranger: false } as const;

/** Step of ending sessions: queues a notice for every client that was signed in to with one of them. */
export async function queueLogoutNotices(tx: Tx, sessions: readonly Session[]): Promise<void> {
  const ended = new Map(sessions.map((session) => [session.sessionId, session]));
  const clients = await takeSessionClients(tx, [...ended.keys()]);
  if (clients.length === 0) return;
  const clientIds = [...new Set(clients.map(({ clientId }) => clientId))];
  const payers = await findPayersOfClients(tx, tx.instanceId, clientIds);
  const notices = clients.flatMap(({ sessionId, clientId, nameId }) => {
    const { userId, details } = ended.get(sessionId) ?? {};
    return userId === undefined || details === undefined
      ? []
      : [{ sessionId, clientId, nameId, userId, ownerId: details.ownerId, ...(payers.get(clientId) ?? noPayer) }];
  });
  await insertNotices(tx, notices);
}
