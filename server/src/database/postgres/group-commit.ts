import type { PoolClient, QueryConfig } from "pg";
import { seconds } from "../../base/clock.ts";
import { DatabaseUnavailable } from "../database.ts";
import { isRefusal } from "./errors.ts";
import { isPlainInsert, mergeInserts } from "./merge-inserts.ts";
import { send } from "./send.ts";

// More would keep the callers of the first ones waiting for no gain.
const mostTogether = 64;
/** A group does not wait for the locks of others, because many callers wait for the group. */
const boundLocks: QueryConfig = { text: "set local lock_timeout = '50ms'" };
/** How long a group may take before further callers are refused at once. */
const longestGroup = seconds(5);

interface Waiting {
  readonly statements: readonly QueryConfig[];
  readonly resolve: () => void;
  readonly reject: (error: unknown) => void;
}

/**
 * Commits units of work that have read nothing: those that come while a commit is under way share the next one, so that a single transaction and
 * a single write to the disk serve them all. Nothing waits when nothing is under way.
 *
 * When the server refuses a group, each of its units is committed by itself, so that a unit only ever fails for its own statements. When
 * the connection is lost, the outcome is unknown for all of them, as it would be for each.
 */
export class GroupCommit {
  readonly #acquire: () => Promise<PoolClient>;
  readonly #queue: Waiting[] = [];
  #startedAt: number | undefined;
  #draining: Promise<void> = Promise.resolve();
  /** Units of refused groups, each on a connection of its own: some of them wait for the locks of others. */
  readonly #alone = new Set<Promise<void>>();

  constructor(acquire: () => Promise<PoolClient>) {
    this.#acquire = acquire;
  }

  /** Resolves when the statements are committed. */
  commit(statements: readonly QueryConfig[]): Promise<void> {
    if (this.#startedAt !== undefined && performance.now() - this.#startedAt > longestGroup) {
      return Promise.reject(new DatabaseUnavailable("the database does not answer earlier commits"));
    }
    return new Promise((resolve, reject) => {
      this.#queue.push({ statements, resolve, reject });
      if (this.#startedAt === undefined) this.#draining = this.#drain();
    });
  }

  /** Resolves when nothing is under way. */
  async idle(): Promise<void> {
    await this.#draining;
    await Promise.all(this.#alone);
  }

  async #drain(): Promise<void> {
    while (this.#queue.length > 0) {
      this.#startedAt = performance.now();
      await this.#commitGroup(this.#queue.splice(0, mostTogether));
    }
    this.#startedAt = undefined;
  }

  async #commitGroup(group: readonly Waiting[]): Promise<void> {
    try {
      const [first] = group;
      await this.#send(group.length === 1 && first ? first.statements : [boundLocks, ...together(group)]);
      for (const { resolve } of group) resolve();
    } catch (error) {
      if (group.length > 1 && isRefusal(error)) {
        for (const unit of group) this.#commitAlone(unit);
      } else for (const { reject } of group) reject(error);
    }
  }

  #commitAlone({ statements, resolve, reject }: Waiting): void {
    const settled: Promise<void> = this.#send(statements)
      .then(resolve, reject)
      .finally(() => this.#alone.delete(settled));
    this.#alone.add(settled);
  }

  async #send(statements: readonly QueryConfig[]): Promise<void> {
    const client = await this.#acquire();
    try {
      const results = await send(client, [{ text: "begin" }, ...statements, { text: "commit" }]);
      // The server answers `commit` with ROLLBACK when the transaction had failed before.
      if (results.at(-1)?.command !== "COMMIT") throw new DatabaseUnavailable("the server took the transaction back");
      client.release();
    } catch (error) {
      client.release(error instanceof DatabaseUnavailable);
      throw error;
    }
  }
}

// Units that only add rows do not depend on one another, so all rows of a table are added by one statement. The others follow as they are.
function together(group: readonly Waiting[]): QueryConfig[] {
  const isAdding = ({ statements }: Waiting): boolean => statements.every(isPlainInsert);
  const adding = group.filter(isAdding).flatMap(({ statements }) => statements);
  const others = group.filter((unit) => !isAdding(unit)).flatMap(({ statements }) => statements);
  return [...mergeInserts(adding), ...others];
}
