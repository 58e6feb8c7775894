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
import type { SharedDecisions } from "./shared-decisions.ts";
import type { SharedPart } from "./shared-transaction.ts";
import { beginStatement, commitStatement, toQuery } from "./statements.ts";

export interface TransactionParts {
  readonly acquire: () => Promise<Lease>;
  readonly group: GroupCommit;
  /** Where the unit may share a transaction with others that decide at the same time. */
  readonly decisions: SharedDecisions | undefined;
  /** What the unit lost before, which it takes before everything else. */
  readonly first: readonly QueryConfig[];
}

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
  readonly #decisions: SharedDecisions | undefined;
  #deciding: Promise<SharedPart | undefined> | undefined;
  /** Its part in a shared transaction; then it needs no connection. */
  #part: SharedPart | undefined;
  #lost: readonly QueryConfig[] = [];

  constructor({ acquire, group, decisions, first }: TransactionParts) {
    this.#acquire = acquire;
    this.#group = group;
    this.#decisions = decisions;
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

  async decide(statement: Sql): Promise<Outcome> {
    const { length } = [...this.#waiting, ...this.#first];
    const isFirst = this.#deciding === undefined && this.#leasing === undefined && length === 0;
    if (this.#decisions === undefined || !isFirst) return this.execute(statement);
    this.#deciding = this.#decisions.decide(toQuery(statement));
    this.#part = await this.#deciding;
    return this.#part === undefined ? this.execute(statement) : outcomeOf(this.#part.decision);
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
    if (this.#part !== undefined) return this.#part.commit([...this.#waiting.splice(0), ...queries]);
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
    await (await this.#deciding)?.giveUp();
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
    if ((await this.#deciding) !== undefined) return this.#sendShared(queries);
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

  async #sendShared(queries: readonly QueryConfig[]): Promise<StatementResult[]> {
    const all = [...this.#waiting.splice(0), ...queries];
    const results = (await (await this.#deciding)?.execute(all)) ?? [];
    return results.slice(all.length - queries.length);
  }
}

const writing = new Set(["INSERT", "UPDATE", "DELETE", "MERGE"]);

function outcomeOf({ command, count, rows }: StatementResult): Outcome {
  return { rows, changed: writing.has(command) ? count : 0 };
}
