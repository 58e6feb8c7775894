import type { Call } from "../../call/index.ts";
import { confirmedRun } from "../confirmation.ts";
import type { CommitListener, Database, LongTx, Reader, Warn } from "../database.ts";
import { announced, Listeners } from "../listeners.ts";
import { LongChanges } from "../long-changes.ts";
import { LongReads } from "../long-reads.ts";
import { createLongShares } from "../long-work.ts";
import { runInPortions } from "../portions.ts";
import { byKey, sql } from "../sql.ts";
import type { Work } from "../unit-of-work.ts";
import { ListReads } from "./list-reads.ts";
import { Notices } from "./notices.ts";
import { PipelinedReads } from "./pipelined-reads.ts";
import { clientSettings } from "./settings.ts";
import { Statistics } from "./statistics.ts";
import { Transactions } from "./transactions.ts";

const readingConnections = 2;
// Lists of callers within their shares are read over two connections, and those of all others over one.
const listConnections = 3;

/** PostgreSQL, shared by any number of nodes. */
export class PostgresDatabase implements Database {
  readonly engine = "postgres";
  readonly #listeners: Listeners;
  readonly #notices: Notices;
  readonly #reads: PipelinedReads;
  readonly #lists: ListReads;
  readonly #transactions: Transactions;
  readonly #statistics: Statistics;
  readonly #longChanges: LongChanges;
  #closing: Promise<void> | undefined;

  constructor(
    url: string,
    options: {
      readonly warn: Warn;
      readonly announces: (eventType: string) => boolean;
      readonly isStrict?: boolean | undefined;
      readonly longestRead?: number | undefined;
    },
  ) {
    const settings = clientSettings(url);
    this.#listeners = new Listeners(options.warn);
    this.#notices = new Notices(settings, { listeners: this.#listeners, announces: options.announces });
    this.#lists = new ListReads(settings, listConnections, options.longestRead);
    const { read } = this.#lists;
    const { isStrict } = options;
    const shares = createLongShares();
    const atLength = new LongReads({ engine: "postgres", isStrict, permits: listConnections - 1, read, shares });
    this.#longChanges = new LongChanges(shares);
    this.#reads = new PipelinedReads(settings, readingConnections, { isStrict, atLength });
    this.#statistics = new Statistics(settings, { notices: this.#notices, warn: options.warn });
    this.#transactions = new Transactions({
      settings,
      warn: options.warn,
      isStrict: options.isStrict === true,
      notice: (instanceId, events) => this.#notices.statement(instanceId, events),
      committed: (instanceId, events) => {
        this.#statistics.wrote();
        this.#listeners.committed(announced(instanceId, events));
      },
    });
  }

  get read(): Reader {
    return this.#reads;
  }

  get hearsOtherNodes(): boolean {
    return this.#notices.hears;
  }

  /** Starts listening to other nodes. */
  start(): Promise<void> {
    return this.#notices.start();
  }

  change<Result>(call: Call, work: Work<Result>): Promise<Result> {
    return runInPortions(this.#confirmed(call).run, "change", work);
  }

  changeAtLength<Result>(call: Call, work: (tx: LongTx) => Promise<Result>): Promise<Result> {
    return this.#longChanges.run(this.#confirmed(call), (tx) => work(tx as LongTx));
  }

  touch<Result>(call: Call, work: Work<Result>): Promise<Result> {
    return runInPortions((kind, each) => this.#transactions.run({ kind, call, work: each }), "touch", work);
  }

  touchAtLength<Result>(call: Call, work: (tx: LongTx) => Promise<Result>): Promise<Result> {
    return this.#longChanges.touch(
      (kind, each) => this.#transactions.run({ kind, call, work: each }),
      (tx) => work(tx as LongTx),
    );
  }

  #confirmed(call: Call): ReturnType<typeof confirmedRun> {
    return confirmedRun(call, (kind, work, confirmation) => this.#transactions.run({ kind, call, work, confirmation }));
  }

  onCommitted(listener: CommitListener): () => void {
    return this.#listeners.add(listener);
  }

  async ping(): Promise<void> {
    await Promise.all([this.#reads.maybe(sql`select 1`), this.#reads.maybe(byKey("", sql`select 1`))]);
  }

  close(): Promise<void> {
    this.#closing ??= this.#close();
    return this.#closing;
  }

  async #close(): Promise<void> {
    await this.#transactions.close();
    await this.#statistics.close();
    await Promise.all([this.#reads.close(), this.#lists.close(), this.#notices.close()]);
  }
}

/** Connects, and warns of server settings that can lose an acknowledged commit. */
export async function openPostgres(
  url: string,
  options: {
    readonly warn: Warn;
    readonly announces: (eventType: string) => boolean;
    readonly isStrict?: boolean | undefined;
    readonly longestRead?: number | undefined;
  },
): Promise<PostgresDatabase> {
  const database = new PostgresDatabase(url, options);
  try {
    await Promise.all([warnOfUnsafeSettings(database.read, options.warn), database.start()]);
    return database;
  } catch (error) {
    await database.close();
    throw error;
  }
}

async function warnOfUnsafeSettings(read: Reader, warn: Warn): Promise<void> {
  const settings = await read.all<{ name: string; setting: string }>(
    sql`select name, setting from pg_settings where name in ('fsync', 'synchronous_commit', 'full_page_writes') and setting = 'off'`,
  );
  for (const { name } of settings) {
    warn(`PostgreSQL has ${name} = off: changes that were answered can be lost when it fails; turn it on`, {
      setting: name,
    });
  }
}
