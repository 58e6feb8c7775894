/** The bytes that arrived and were not read yet. */
export interface Inbox {
  readonly bytes: Buffer;
  add(arrived: Buffer): void;
  /** Keeps what is left of the bytes after a message. */
  keep(rest: Buffer): void;
}

/** Creates an empty inbox. A message that arrives byte by byte is not copied with each of them. */
export function createInbox(): Inbox {
  let store: Buffer = Buffer.alloc(0);
  let filled = 0;
  return {
    get bytes() {
      return store.subarray(0, filled);
    },
    add: (arrived) => {
      const needed = filled + arrived.length;
      if (needed > store.length) {
        const larger = Buffer.allocUnsafe(Math.max(needed, store.length * 2));
        store.copy(larger, 0, 0, filled);
        store = larger;
      }
      arrived.copy(store, filled);
      filled = needed;
    },
    // Its capacity ends with it, so that nothing is written over messages that were handed out.
    keep: (rest) => {
      store = rest;
      filled = rest.length;
    },
  };
}
