/**
 * Aggregates whose state is never cached (it must not be stale for a moment), and that change all the time. What is not named
 * here is announced, so a new cache cannot be forgotten; these must never get one.
 */
const neverCached: ReadonlySet<string> = new Set([
  "auth_request",
  "logout_notice",
  "notification",
  "registration",
  "session",
  "token_family",
  "user",
]);

/**
 * Whether other nodes are told of events of this type. On PostgreSQL each transaction that tells takes a lock of the whole
 * server until its commit is on the disk, so what happens with every sign-in and every token does not.
 */
export const isAnnounced = (eventType: string): boolean => !neverCached.has(eventType.split(".", 1)[0] ?? "");
