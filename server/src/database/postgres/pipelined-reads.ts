import pg, { type ClientConfig } from "pg";
import { DatabaseUnavailable, type Reader } from "../database.ts";
import type { Sql } from "../sql.ts";
import { isCachedPlanChanged, toDatabaseError } from "./errors.ts";
import { toQuery } from "./statements.ts";

/** A connection that many callers use at once: statements leave without waiting for the answers to those before them. */
interface Lane {
  /** The connection, when it stands. */
  client: Promise<pg.Client> | undefined;
  /** The same, also while it is made. */
  newest: pg.Client | undefined;
  inFlight: number;
}

/**
 * Reads of one statement, pipelined. What was in flight when a connection died is rejected with `DatabaseUnavailable`; the next
 * read connects anew. Each read takes the lane with the least to do, so a slow one delays few others.
 */
export class PipelinedReads implements Reader {
  readonly engine = "postgres";
  readonly #settings: ClientConfig;
  readonly #lanes: readonly Lane[];
  #isClosed = false;

  constructor(settings: ClientConfig, laneCount: number) {
    this.#settings = { ...settings, pipeline: true };
    this.#lanes = Array.from({ length: laneCount }, () => ({ client: undefined, newest: undefined, inFlight: 0 }));
  }

  async all<Row>(statement: Sql): Promise<Row[]> {
    if (this.#isClosed) throw new DatabaseUnavailable("the database is closed");
    const lane = this.#lanes.reduce((least, each) => (each.inFlight < least.inFlight ? each : least));
    lane.inFlight++;
    let client: pg.Client | undefined;
    try {
      lane.client ??= this.#connect(lane);
      client = await lane.client;
      return (await client.query(toQuery(statement))).rows as Row[];
    } catch (error) {
      // Answers what is in flight, then closes; the next read connects anew.
      if (isCachedPlanChanged(error)) drop(lane, client);
      throw toDatabaseError(error);
    } finally {
      lane.inFlight--;
    }
  }

  async maybe<Row>(statement: Sql): Promise<Row | undefined> {
    return (await this.all<Row>(statement))[0];
  }

  /** Resolves when what is in flight was answered and the connections are closed. */
  async close(): Promise<void> {
    this.#isClosed = true;
    const clients = await Promise.all(this.#lanes.map(({ client }) => client?.catch(() => undefined)));
    await Promise.all(clients.map((client) => client?.end()));
  }

  async #connect(lane: Lane): Promise<pg.Client> {
    const client = new pg.Client(this.#settings);
    lane.newest = client;
    client.once("error", () => drop(lane, client));
    client.on("error", () => {});
    try {
      await client.connect();
      // Nothing that is decided here may rest on what a replica has not heard yet.
      const replica = await client.query("select pg_is_in_recovery() as replica");
      if (replica.rows[0].replica === 1) throw new DatabaseUnavailable("the server is a replica");
      await client.query("set default_transaction_read_only = on");
      return client;
    } catch (error) {
      drop(lane, client);
      throw error;
    }
  }
}

// A connection that fails late may have been followed by another already.
function drop(lane: Lane, client: pg.Client | undefined): void {
  if (lane.newest === client) lane.client = undefined;
  void client?.end().catch(() => {});
}
