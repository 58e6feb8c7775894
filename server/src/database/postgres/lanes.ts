import pg, { type ClientConfig, type QueryConfig } from "pg";
import { DatabaseUnavailable } from "../database.ts";
import { isCachedPlanChanged, toDatabaseError } from "./errors.ts";
import type { StatementResult } from "./packet.ts";
import { send } from "./send.ts";

/** The part of `pg`'s client that its types omit: the socket. */
interface Corkable {
  readonly connection: { readonly stream: { cork(): void; uncork(): void } };
}

/** A connection that many callers share: statements are sent without waiting for the answers to earlier ones. */
interface Lane {
  /** The connection, once it is established. */
  client: Promise<pg.Client> | undefined;
  /** The same, also while it is being established. */
  newest: pg.Client | undefined;
  inFlight: number;
  isGathering: boolean;
}

export type Send = (query: QueryConfig) => Promise<StatementResult>;

/**
 * Connections that only read. Statements in flight on a broken one are rejected with `DatabaseUnavailable`; the next
 * statement connects again.
 */
export class Lanes {
  readonly #settings: ClientConfig;
  readonly #lanes: readonly Lane[];
  #isClosed = false;

  constructor(settings: ClientConfig, count: number) {
    this.#settings = { ...settings, pipeline: true };
    this.#lanes = Array.from({ length: count }, () => ({
      client: undefined,
      newest: undefined,
      inFlight: 0,
      isGathering: false,
    }));
  }

  /** Returns what sends over the least busy connection, so that a slow statement delays few others. */
  leastBusy(): Send {
    const lane = this.#lanes.reduce((least, each) => (each.inFlight < least.inFlight ? each : least));
    return (query) => this.#send(query, lane);
  }

  /** Resolves when the statements in flight were answered and the connections are closed. */
  async close(): Promise<void> {
    this.#isClosed = true;
    const clients = await Promise.all(this.#lanes.map(({ client }) => client?.catch(() => undefined)));
    await Promise.all(clients.map((client) => client?.end()));
  }

  async #send(query: QueryConfig, lane: Lane): Promise<StatementResult> {
    if (this.#isClosed) throw new DatabaseUnavailable("the database is closed");
    lane.inFlight++;
    let client: pg.Client | undefined;
    try {
      lane.client ??= this.#connect(lane);
      client = await lane.client;
      gather(lane, client);
      const [result] = await send(client, [query]);
      return result as StatementResult;
    } catch (error) {
      // Waits for the reads in flight, then closes; the next read connects again.
      if (isCachedPlanChanged(error)) drop(lane, client);
      throw toDatabaseError(error);
    } finally {
      lane.inFlight--;
    }
  }

  async #connect(lane: Lane): Promise<pg.Client> {
    const client = new pg.Client(this.#settings);
    lane.newest = client;
    client.once("error", () => drop(lane, client));
    client.on("error", () => {});
    try {
      await client.connect();
      // Decisions must not be based on a replica that lags behind.
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

// What the requests read that the event loop found together is written to the connection together, once it has looked
// at all of them: a write costs both sides more than a statement.
function gather(lane: Lane, client: pg.Client): void {
  if (lane.isGathering) return;
  lane.isGathering = true;
  const { stream } = (client as unknown as Corkable).connection;
  stream.cork();
  setImmediate(() => {
    lane.isGathering = false;
    stream.uncork();
  });
}

// A connection that fails late may already have been replaced.
function drop(lane: Lane, client: pg.Client | undefined): void {
  if (lane.newest === client) lane.client = undefined;
  void client?.end().catch(() => {});
}
