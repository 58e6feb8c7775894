import { payAsProcess } from "../budget/payer.ts";

/** Notifies listeners in this process that there is work. The work is not charged to the caller that signals. */
export interface Signal {
  give(): void;
  /** Returns the function that removes the listener. */
  listen(listener: () => void): () => void;
}

export function createSignal(): Signal {
  const listeners = new Set<() => void>();
  return {
    give: () => {
      for (const listener of listeners) payAsProcess(listener);
    },
    listen: (listener) => {
      listeners.add(listener);
      return () => void listeners.delete(listener);
    },
  };
}
