import type { PoolClient, QueryConfig, QueryResult } from "pg";
import { DatabaseUnavailable } from "../database.ts";
import { insertEvents } from "../events.store.ts";
import type { Sql } from "../sql.ts";
import type { Executor, Outcome, UnitOfWork } from "../unit-of-work.ts";
import { toDatabaseError } from "./errors.ts";
import { toQuery } from "./statements.ts";

/** The part of `pg`'s client that its types omit: the socket. */
interface Corkable {
  readonly connection: { readonly stream: { cork(): void; uncork(): void } };
}

/**
 * A transaction on a pipelined connection, in as few round trips as possible: `begin` is sent with the first statement,
 * each `write` with the next statement, the events with `commit`.
 */
export class Transaction implements Executor {
  readonly #client: PoolClient;
  readonly #waiting: QueryConfig[] = [];
  #state: "new" | "open" | "ended" = "new";

  constructor(client: PoolClient) {
    this.#client = client;
  }

  async execute(statement: Sql): Promise<Outcome> {
    const [result] = await this.#send([toQuery(statement)]);
    return outcomeOf(result as QueryResult);
  }

  write(statement: Sql): number {
    this.#waiting.push(toQuery(statement));
    return 1;
  }

  /** Writes the events and commits. If the connection is lost meanwhile, the outcome is unknown. */
  async commit(unit: UnitOfWork, notice: Sql | undefined): Promise<void> {
    const statements = insertEvents(unit, unit.events);
    if (notice !== undefined) statements.push(notice);
    if (this.#state === "new" && this.#waiting.length + statements.length === 0) return;
    const sending = this.#send([...statements.map(toQuery), { text: "commit" }]);
    this.#state = "ended";
    const results = await sending;
    // The server answers `commit` with ROLLBACK when the transaction had failed before.
    if (results.at(-1)?.command !== "COMMIT") throw new DatabaseUnavailable("the server took the transaction back");
  }

  /** Rolls back, when a statement was sent. */
  async rollback(): Promise<void> {
    if (this.#state === "open") await this.#client.query("rollback");
    this.#state = "ended";
  }

  // Sends all statements in one packet. When several fail, the first error is the cause of the others.
  async #send(queries: readonly QueryConfig[]): Promise<QueryResult[]> {
    const begin = this.#state === "new" ? [{ text: "begin" }] : [];
    const all = [...begin, ...this.#waiting.splice(0), ...queries];
    this.#state = "open";
    const { stream } = (this.#client as unknown as Corkable).connection;
    stream.cork();
    const sent = all.map((query) => this.#client.query(query));
    stream.uncork();
    const settled = await Promise.allSettled(sent);
    const failed = settled.find((each) => each.status === "rejected");
    if (failed !== undefined) throw toDatabaseError(failed.reason);
    const results = settled.map((each) => (each as PromiseFulfilledResult<QueryResult>).value);
    return results.slice(all.length - queries.length);
  }
}

const writing = new Set(["INSERT", "UPDATE", "DELETE", "MERGE"]);

function outcomeOf({ command, rowCount, rows }: QueryResult): Outcome {
  return { rows, changed: writing.has(command) ? (rowCount ?? 0) : 0 };
}
