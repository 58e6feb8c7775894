import pg, { type ClientConfig } from "pg";
import { seconds } from "../../base/clock.ts";
import { longestRead, type ReadApart, tooSlow } from "../long-reads.ts";
import { isStatementTimeout, toDatabaseError } from "./errors.ts";
import { leaseFrom } from "./lease.ts";
import { toQuery } from "./statements.ts";

/**
 * Connections for lists of many rows, apart from those that carry the statements of everyone. They are made on first
 * use, and the server ends a statement that takes too long.
 */
export class ListReads {
  readonly #pool: pg.Pool;

  constructor(settings: ClientConfig, max: number, longest = longestRead) {
    this.#pool = new pg.Pool({
      ...settings,
      options: `${settings.options ?? ""} -c default_transaction_read_only=on`,
      statement_timeout: longest,
      query_timeout: longest + seconds(2),
      max,
      idleTimeoutMillis: seconds(30),
    });
    this.#pool.on("error", () => {});
    this.#pool.on("connect", (client) => client.on("error", () => {}));
  }

  readonly read: ReadApart = async (statement) => {
    const { client, release } = await leaseFrom(this.#pool);
    const started = performance.now();
    let isBroken = false;
    try {
      const { rows } = await client.query(toQuery(statement));
      return { rows, milliseconds: performance.now() - started };
    } catch (error) {
      if (isStatementTimeout(error)) throw tooSlow(error);
      // Also when a migration changed a table under a prepared statement: a new connection prepares it again.
      isBroken = true;
      throw toDatabaseError(error);
    } finally {
      release(isBroken);
    }
  };

  close(): Promise<void> {
    return this.#pool.end();
  }
}
