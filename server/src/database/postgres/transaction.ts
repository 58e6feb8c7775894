import type { QueryConfig } from "pg";
import { DatabaseUnavailable } from "../database.ts";
import { insertEvents } from "../events.store.ts";
import type { Sql } from "../sql.ts";
import type { Executor, Outcome, UnitOfWork } from "../unit-of-work.ts";
import { isWorthRepeating } from "./errors.ts";
import type { GroupCommit } from "./group-commit.ts";
import type { Lease } from "./lease.ts";
import { locksOf } from "./lost-locks.ts";
import type { StatementResult } from "./packet.ts";
import { send } from "./send.ts";
import { beginStatement, commitStatement, toQuery } from "./statements.ts";

/**
 * A transaction on a pipelined connection, in as few round trips as possible: `begin` is sent with the first statement,
 * each `write` with the next statement, the events with `commit`. One that reads nothing needs no connection of its
 * own: it is committed together with others.
 */
export class Transaction implements Executor {
  readonly #acquire: () => Promise<Lease>;
  readonly #group: GroupCommit;
  #leasing: Promise<Lease> | undefined;
  readonly #waiting: QueryConfig[] = [];
  readonly #first: readonly QueryConfig[];
  #lost: readonly QueryConfig[] = [];

  /** `first` is what the unit lost before, which it takes before everything else. */
  constructor(acquire: () => Promise<Lease>, group: GroupCommit, first: readonly QueryConfig[] = []) {
    this.#acquire = acquire;
    this.#group = group;
    this.#first = first;
  }

  /** What a repetition takes first: the latest loss, then those before. */
  get lost(): readonly QueryConfig[] {
    return [...this.#lost, ...this.#first];
  }

  async execute(statement: Sql): Promise<Outcome> {
    const [result] = await this.#send([toQuery(statement)]);
    return outcomeOf(result as StatementResult);
  }

  write(statement: Sql): number {
    this.#waiting.push(toQuery(statement));
    return 1;
  }

  /** Writes the events and commits. If the connection is lost meanwhile, the outcome is unknown. */
  async commit(unit: UnitOfWork, notice: Sql | undefined): Promise<void> {
    const statements = insertEvents(unit, unit.events);
    if (notice !== undefined) statements.push(notice);
    const queries = statements.map(toQuery);
    if (this.#leasing === undefined) {
      const all = [...this.#waiting.splice(0), ...queries];
      return all.length === 0 ? undefined : this.#group.commit(all);
    }
    const results = await this.#send([...queries, commitStatement]);
    // The server answers `commit` with ROLLBACK when the transaction had failed before.
    if (results.at(-1)?.command !== "COMMIT") throw new DatabaseUnavailable("the server took the transaction back");
  }

  /** Gives the connection back, if there is one, after a commit. */
  async release(): Promise<void> {
    const lease = await this.#leasing;
    this.#leasing = undefined;
    lease?.release();
  }

  /** Rolls back and gives the connection back, if there is one. It is closed when it may be broken. */
  async giveUp(isBroken: boolean): Promise<void> {
    const lease = await this.#leasing?.catch(() => undefined);
    try {
      await lease?.client.query("rollback");
      lease?.release(isBroken);
    } catch {
      lease?.release(true);
    }
  }

  // Statements that run side by side share one connection and begin once.
  async #send(queries: readonly QueryConfig[]): Promise<StatementResult[]> {
    const isFirst = this.#leasing === undefined;
    this.#leasing ??= this.#acquire();
    const { client } = await this.#leasing;
    const own = [...this.#waiting.splice(0), ...queries];
    const all = [...(isFirst ? [beginStatement, ...this.#first] : []), ...own];
    const results = await send(client, all).catch((error: unknown) => {
      if (isWorthRepeating(error)) this.#lost = locksOf(own);
      throw error;
    });
    return results.slice(all.length - queries.length);
  }
}

const writing = new Set(["INSERT", "UPDATE", "DELETE", "MERGE"]);

function outcomeOf({ command, count, rows }: StatementResult): Outcome {
  return { rows, changed: writing.has(command) ? count : 0 };
}
