import { createFairTurns, type FairTurns } from "../budget/fair-turns.ts";
import { seconds } from "../clock.ts";

/** A server that does not answer within this time is asked once more, then the next one. */
export const patience = { timeout: 1_500, tries: 2, maxTimeout: 3_000 } as const;
/** How long the longest lookup may take, when the caller has no deadline. */
export const longestLookup = seconds(10);

// A lookup costs a socket. A source that names silent servers holds eight of them, its instance a quarter of all.
const turns = { permits: 512, shares: [128, 32, 8], queueLimits: [256, 96, 32], queueLimit: 2_048 } as const;

/** Creates the turns of DNS lookups of every kind, which one process has once. */
export const createLookupTurns = (): FairTurns => createFairTurns(turns);
