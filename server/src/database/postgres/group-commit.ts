import { setImmediate } from "node:timers/promises";
import type { QueryConfig } from "pg";
import { currentPayer, type Payer, payFor } from "../../base/budget/payer.ts";
import { seconds } from "../../base/clock.ts";
import { DatabaseUnavailable } from "../database.ts";
import { isLockTimeout, isRefusal } from "./errors.ts";
import type { Lease } from "./lease.ts";
import { mergeUnits } from "./merge-inserts.ts";
import { send } from "./send.ts";

// More would keep the callers of the first ones waiting for no gain.
const mostTogether = 64;
/** How long a group may take before further callers are refused at once. */
const longestGroup = seconds(5);

interface Waiting {
  readonly payer: Payer;
  readonly statements: readonly QueryConfig[];
  readonly resolve: () => void;
  readonly reject: (error: unknown) => void;
}

interface GroupCommitParts {
  /**
   * A connection whose statements wait for locks no longer than `longestLockMilliseconds`, because many callers wait
   * for a group.
   */
  readonly acquire: () => Promise<Lease>;
  /** A connection for a unit that has to wait for others. */
  readonly acquireAlone: () => Promise<Lease>;
}

/** How long a group waits for the locks of others. */
export const longestLockMilliseconds = 50;

/**
 * Commits units of work that have read nothing: those that come while a commit is under way share the next one, so that
 * a single transaction and a single write to the disk serve them all. Nothing waits when nothing is under way.
 *
 * When the server refuses a group, each of its units is committed by itself. So a unit only ever fails for its own
 * statements, and one that has to wait for the lock of another transaction delays only itself. When the connection is
 * lost, the outcome is unknown for all of them, as it would be for each.
 */
export class GroupCommit {
  readonly #parts: GroupCommitParts;
  readonly #queue: Waiting[] = [];
  #startedAt: number | undefined;
  #draining: Promise<void> = Promise.resolve();
  /** Units of refused groups, each on a connection of its own: some of them wait for the locks of others. */
  readonly #alone = new Set<Promise<void>>();

  constructor(parts: GroupCommitParts) {
    this.#parts = parts;
  }

  /** Resolves when the statements are committed. */
  commit(statements: readonly QueryConfig[]): Promise<void> {
    if (this.#startedAt !== undefined && performance.now() - this.#startedAt > longestGroup) {
      return Promise.reject(new DatabaseUnavailable("the database does not answer earlier commits"));
    }
    return new Promise((resolve, reject) => {
      this.#queue.push({ payer: currentPayer(), statements, resolve, reject });
      if (this.#startedAt === undefined) this.#draining = this.#drain();
    });
  }

  /** Resolves when nothing is under way. */
  async idle(): Promise<void> {
    await this.#draining;
    await Promise.all(this.#alone);
  }

  async #drain(): Promise<void> {
    this.#startedAt = performance.now();
    while (this.#queue.length > 0) {
      // What the event loop found together is one group.
      await setImmediate();
      this.#startedAt = performance.now();
      await this.#commitGroup(this.#queue.splice(0, mostTogether));
    }
    this.#startedAt = undefined;
  }

  async #commitGroup(group: readonly Waiting[]): Promise<void> {
    try {
      await commit(await this.#parts.acquire(), mergeUnits(group.map(({ statements }) => statements)));
      for (const { resolve } of group) resolve();
    } catch (error) {
      const hasChance = isRefusal(error) && (group.length > 1 || isLockTimeout(error));
      for (const unit of group) {
        if (hasChance) this.#commitAlone(unit);
        else unit.reject(error);
      }
    }
  }

  #commitAlone({ payer, statements, resolve, reject }: Waiting): void {
    const settled: Promise<void> = payFor(payer, this.#parts.acquireAlone)
      .then((lease) => commit(lease, statements))
      .then(resolve, reject)
      .finally(() => this.#alone.delete(settled));
    this.#alone.add(settled);
  }
}

/** Commits statements together, and gives the connection back. What is sent at once is a transaction by itself. */
async function commit({ client, release }: Lease, statements: readonly QueryConfig[]): Promise<void> {
  try {
    await send(client, statements);
    release();
  } catch (error) {
    release(error instanceof DatabaseUnavailable && !isLockTimeout(error));
    throw error;
  }
}
