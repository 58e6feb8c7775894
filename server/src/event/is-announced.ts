/**
 * Aggregates whose state is never cached (it must not be stale for a moment), and which change all the time. All others
 * are announced, so that a new cache cannot be forgotten. The aggregates in this list must never be cached.
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
 * Whether events of this type are announced to other nodes. On PostgreSQL each announcing transaction takes a lock of
 * the whole server until its commit is on the disk. The events of sign-ins and tokens are therefore not announced.
 */
export const isAnnounced = (eventType: string): boolean => !neverCached.has(eventType.split(".", 1)[0] ?? "");
