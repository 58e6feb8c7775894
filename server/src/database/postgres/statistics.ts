import pg, { type ClientConfig } from "pg";
import { minutes, seconds } from "../../base/clock.ts";
import { DatabaseUnavailable, type Warn } from "../database.ts";
import { toDatabaseError } from "./errors.ts";
import type { Notices } from "./notices.ts";

// "doorward" in ASCII, plus one: the lock of the node that analyzes.
const lock = "7237954694405025381";
const lookMilliseconds = seconds(1);
const retryMilliseconds = minutes(1);
const mostLooks = 20;

interface GrownTable {
  readonly name: string;
  readonly isCommitted: number;
}

/**
 * Tables of ours with ten times the pages that they had when they were last analyzed, and whether as many rows are
 * committed. In the middle of a long transaction its pages are there and its rows are not: statistics of then would
 * make plans for an empty table. Below four pages no plan matters, and from a single row PostgreSQL would conclude that
 * each row has an instance of its own.
 */
const grownTables = `select quote_ident(c.relname) as "name",
    pg_stat_get_live_tuples(c.oid) >= greatest(100, 10 * c.reltuples) as "isCommitted" from pg_class c
  where c.relkind = 'r' and c.relnamespace = current_schema()::regnamespace and pg_has_role(c.relowner, 'usage')
    and pg_relation_size(c.oid) >= current_setting('block_size')::bigint
      * greatest(4, case when c.reltuples < 0 then 0 else 10 * c.relpages end)
  order by c.relname`;

/**
 * Analyzes tables soon after they grew tenfold. The server's own job comes by once a minute at most. Until then, plans
 * that were made while a table was empty read all rows of an instance where an index finds one. Connections replace
 * their plans when a table is analyzed.
 */
export class Statistics {
  readonly #settings: ClientConfig;
  readonly #notices: Notices;
  readonly #warn: Warn;
  #timer: NodeJS.Timeout | undefined;
  #looking: Promise<void> | undefined;
  #client: pg.Client | undefined;
  #isClosed = false;
  /** How often it may look again without a further commit. */
  #looksLeft = 0;

  constructor(settings: ClientConfig, options: { readonly notices: Notices; readonly warn: Warn }) {
    this.#settings = { ...settings, statement_timeout: 0, query_timeout: 0 };
    this.#notices = options.notices;
    this.#warn = options.warn;
  }

  /** Looks soon whether tables have grown. Called after each commit, so that an idle server asks nothing. */
  wrote(): void {
    this.#looksLeft = mostLooks;
    if (this.#timer === undefined && !this.#isClosed) this.#lookIn(lookMilliseconds);
  }

  async close(): Promise<void> {
    this.#isClosed = true;
    clearTimeout(this.#timer);
    await this.#client?.end().catch(() => {});
    await this.#looking;
  }

  #lookIn(milliseconds: number): void {
    this.#timer = setTimeout(() => {
      this.#looking = this.#look().then(
        (isWaiting) => {
          this.#timer = undefined;
          if (isWaiting && this.#looksLeft-- > 0 && !this.#isClosed) this.#lookIn(lookMilliseconds);
        },
        (error: unknown) => {
          if (this.#isClosed) return;
          const reason = toDatabaseError(error);
          // Requests tell that the server does not answer.
          if (!(reason instanceof DatabaseUnavailable)) this.#warn("PostgreSQL cannot analyse a table", { reason });
          this.#lookIn(retryMilliseconds);
        },
      );
    }, milliseconds).unref();
  }

  // Returns whether tables have grown by rows that are not committed, or not counted yet: the server takes up to ten
  // seconds.
  async #look(): Promise<boolean> {
    const grown = await this.#notices.read<GrownTable>(grownTables);
    if (grown.some(({ isCommitted }) => isCommitted === 1) && !this.#isClosed) await this.#analyse();
    return grown.some(({ isCommitted }) => isCommitted !== 1);
  }

  // One node at a time. Another one may have analyzed meanwhile.
  async #analyse(): Promise<void> {
    const client = new pg.Client(this.#settings);
    client.on("error", () => {});
    try {
      await client.connect();
      // Not before: `connect` never settles on a client that is ended meanwhile.
      this.#client = client;
      if (this.#isClosed) return;
      const { rows } = await client.query(`select pg_try_advisory_lock(${lock}) as "isMine"`);
      if (rows[0].isMine !== 1) return;
      const grown = await client.query<GrownTable>(grownTables);
      for (const { name, isCommitted } of grown.rows) {
        if (isCommitted === 1) await client.query(`analyze (skip_locked) ${name}`);
      }
    } finally {
      this.#client = undefined;
      await client.end().catch(() => {});
    }
  }
}
