import type { Clock } from "../../base/clock.ts";
import type { Call } from "../../call/index.ts";
import type { Database, Tx } from "../../database/index.ts";
import { queueLogoutNotices } from "../logout-notice/index.ts";
import { holdSession, listSessionsToExpire, moveSessionClients, takeSessionClients } from "../session/index.ts";

export interface ExpireSessionsDeps {
  readonly database: Database;
  readonly clock: Clock;
}

// Each is a change of its own, so that other writers do not wait for long.
const batchSize = 200;

/**
 * Queues notices to the clients of sessions that have expired, as for sessions that were terminated (OpenID Connect
 * Back-Channel Logout 1.0 §2.3); returns for how many sessions. Nothing else ends with them: what was issued lives as
 * long as it says, and the browser still knows the account.
 */
export async function expireSessions({ database, clock }: ExpireSessionsDeps, signal?: AbortSignal): Promise<number> {
  let count = 0;
  for (const { instanceId, sessionId } of await listSessionsToExpire(database.read, clock(), batchSize)) {
    if (signal?.aborted) break;
    const call: Call = { instanceId, requestId: "job expire_sessions", now: clock(), language: "en" };
    if (await database.touch(call, (tx) => expireSession(tx, sessionId))) count++;
  }
  return count;
}

// The session is locked, so that it is not renewed meanwhile; one that was renewed before has another end.
async function expireSession(tx: Tx, sessionId: string): Promise<boolean> {
  const session = await holdSession(tx, sessionId);
  if (session === undefined) {
    await takeSessionClients(tx, [sessionId]);
    return false;
  }
  const { expiresAt } = session;
  if (expiresAt === undefined || expiresAt > tx.now) {
    await moveSessionClients(tx, { sessionId, expiresAt });
    return false;
  }
  await queueLogoutNotices(tx, [session]);
  return true;
}
