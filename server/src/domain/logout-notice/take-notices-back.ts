import type { Tx } from "../../database/index.ts";
import { noteSessionClient } from "../session/index.ts";
import { takeNoticesOfSession } from "./logout-notice.store.ts";

/**
 * Step: takes back the notices of a session that had expired and goes on. Its clients are told when it really ends:
 * their users are still signed in there.
 */
export async function takeNoticesBack(tx: Tx, sessionId: string): Promise<void> {
  for (const { clientId, nameId } of await takeNoticesOfSession(tx, sessionId)) {
    noteSessionClient(tx, { sessionId, clientId, ...(nameId !== null && { nameId }) });
  }
}
