import { payAsProcess } from "../base/budget/payer.ts";
import type { CommitListener, CommittedEvent, Warn } from "./database.ts";

/**
 * The listeners for commits. An exception of one is reported and does not affect the others. What they start serves
 * everyone, so that it is not on the account of the request whose commit it follows.
 */
export class Listeners {
  readonly #warn: Warn;
  readonly #listeners = new Set<CommitListener>();

  constructor(warn: Warn) {
    this.#warn = warn;
  }

  add(listener: CommitListener): () => void {
    this.#listeners.add(listener);
    return () => void this.#listeners.delete(listener);
  }

  committed(event: CommittedEvent): void {
    this.#tell((listener) => listener.committed(event));
  }

  missed(): void {
    this.#tell((listener) => listener.missed());
  }

  #tell(tell: (listener: CommitListener) => void): void {
    for (const listener of this.#listeners) {
      try {
        payAsProcess(() => tell(listener));
      } catch (error) {
        this.#warn("a listener of commits failed", { error });
      }
    }
  }
}
