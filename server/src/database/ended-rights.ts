import type { Tx } from "./database.ts";

/** The units that ended the rights of their own caller. */
const ending = new WeakSet<Tx>();

/** What a unit ended: everything of users, sessions, or families of tokens. */
interface Ended {
  readonly userIds?: readonly string[];
  readonly sessionIds?: readonly string[];
  readonly familyIds?: readonly string[];
}

/**
 * Step: has a change go on to its end although its caller is confirmed no longer, where what was ended is what the
 * caller acts by: users delete themselves, and owners the organization that makes them owners. For what a batch may
 * end; any other withdrawal of rights stops what remains.
 */
export function noteEnded(tx: Tx, { userIds = [], sessionIds = [], familyIds = [] }: Ended): void {
  const { caller } = tx.call;
  if (caller === undefined) return;
  const { userId, importer, sessionId, token } = caller;
  const isOwn =
    userIds.includes(userId) ||
    (importer !== undefined && userIds.includes(importer.userId)) ||
    (sessionId !== undefined && sessionIds.includes(sessionId)) ||
    (token !== undefined && familyIds.includes(token.familyId));
  if (isOwn) ending.add(tx);
}

/** Whether a unit ended the rights of its own caller. */
export const endedOwnRights = (tx: Tx): boolean => ending.has(tx);
