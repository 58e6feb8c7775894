import { payAsProcess } from "../base/budget/payer.ts";
import type { CommitListener, CommittedEvent, NewEvent, Warn } from "./database.ts";

/** Returns the announced parts of events. */
export const announced = (instanceId: string, events: readonly NewEvent[]): CommittedEvent[] =>
  events.map(({ type, aggregateType, aggregateId, ownerId }) => ({
    instanceId,
    type,
    aggregateType,
    aggregateId,
    ownerId,
  }));

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

  /** Tells of events together: what they start is put on the account of the process once. */
  committed(events: readonly CommittedEvent[]): void {
    if (events.length === 0 || this.#listeners.size === 0) return;
    payAsProcess(() => {
      for (const event of events) this.#tell((listener) => listener.committed(event));
    });
  }

  missed(): void {
    payAsProcess(() => this.#tell((listener) => listener.missed()));
  }

  #tell(tell: (listener: CommitListener) => void): void {
    for (const listener of this.#listeners) {
      try {
        tell(listener);
      } catch (error) {
        this.#warn("a listener of commits failed", { error });
      }
    }
  }
}
