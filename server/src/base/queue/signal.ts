import { payAsProcess } from "../budget/payer.ts";

/** Tells listeners in this process that there is something to do, which is not on the account of the one that tells. */
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
