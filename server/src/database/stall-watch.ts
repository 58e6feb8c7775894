import type { Warn } from "./database.ts";
import type { UnitOfWork } from "./unit-of-work.ts";

const tickMilliseconds = 25;
const warnAfterTicks = 3;
const abandonAfterTicks = 400;

/**
 * Finds units of work that wait for something other than their own statements: each holds a connection, on SQLite the
 * only one that writes. They are reported after some 50 ms and aborted after 10 s. One timer serves all units, at no
 * cost for each.
 */
export class StallWatch {
  readonly #warn: Warn;
  readonly #open = new Set<UnitOfWork>();
  #timer: NodeJS.Timeout | undefined;

  constructor(warn: Warn) {
    this.#warn = warn;
  }

  /** Performs a unit of work under the watch. */
  async during<Result>(unit: UnitOfWork, perform: () => Promise<Result>): Promise<Result> {
    this.#open.add(unit);
    this.#timer ??= setInterval(() => this.#tick(), tickMilliseconds).unref();
    try {
      return await perform();
    } finally {
      this.#open.delete(unit);
    }
  }

  #tick(): void {
    if (this.#open.size === 0) {
      clearInterval(this.#timer);
      this.#timer = undefined;
      return;
    }
    for (const unit of this.#open) {
      if (unit.running > 0) continue;
      unit.idleTicks++;
      if (unit.idleTicks === warnAfterTicks) {
        this.#warn("a unit of work is waiting for something other than its own statements", {
          requestId: unit.call.requestId,
        });
      }
      if (unit.idleTicks === abandonAfterTicks) unit.abandon();
    }
  }
}
