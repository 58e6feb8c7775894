import pg, { type ClientConfig } from "pg";
import { seconds } from "../../base/clock.ts";
import { systemRandom } from "../../base/random.ts";
import type { NewEvent } from "../database.ts";
import type { Listeners } from "../listeners.ts";
import { type Sql, sql } from "../sql.ts";

const channel = "doorward_events";
// PostgreSQL's limit is 8,000 bytes.
const longestNotice = 7_900;
const heartbeatMilliseconds = seconds(1);
const longestRetryMilliseconds = seconds(1);

/** `[node, [instance, type, aggregate type, aggregate id, owner] …]`; without events when they do not fit. */
type Notice = readonly [node: string, ...events: readonly (readonly [string, string, string, string, string])[]];

/**
 * Announces committed events to other nodes, and receives theirs. The server delivers a notification when its
 * transaction commits. Each such commit takes one lock of the whole server, so only events that make a cache stale are
 * announced.
 */
export class Notices {
  readonly #node = systemRandom(9).toString("base64url");
  readonly #settings: ClientConfig;
  readonly #listeners: Listeners;
  readonly #announces: (eventType: string) => boolean;
  #client: pg.Client | undefined;
  #hears = false;
  #isClosed = false;
  #retry: NodeJS.Timeout | undefined;
  #failures = 0;

  constructor(
    settings: ClientConfig,
    options: { readonly listeners: Listeners; readonly announces: (eventType: string) => boolean },
  ) {
    this.#settings = { ...settings, query_timeout: heartbeatMilliseconds * 2 };
    this.#listeners = options.listeners;
    this.#announces = options.announces;
  }

  get hears(): boolean {
    return this.#hears;
  }

  /** Returns the statement that announces the events, or undefined when none of them is announced. */
  statement(instanceId: string, events: readonly NewEvent[]): Sql | undefined {
    const told = events.filter(({ type }) => this.#announces(type));
    if (told.length === 0) return undefined;
    const notice: Notice = [
      this.#node,
      ...told.map(
        ({ type, aggregateType, aggregateId, ownerId }) =>
          [instanceId, type, aggregateType, aggregateId, ownerId] as const,
      ),
    ];
    const text = JSON.stringify(notice);
    const payload = Buffer.byteLength(text) <= longestNotice ? text : JSON.stringify([this.#node]);
    return sql`select pg_notify(${channel}, ${payload})`;
  }

  /** Starts listening. Resolves after the first attempt; later ones follow until `close`. */
  async start(): Promise<void> {
    const client = new pg.Client(this.#settings);
    this.#client = client;
    client.on("notification", ({ payload }) => this.#receive(payload ?? "[]"));
    client.on("error", () => this.#lost(client));
    client.on("end", () => this.#lost(client));
    try {
      await client.connect();
      await client.query(`listen ${channel}`);
      this.#failures = 0;
      // Commits from the time without a connection are not announced later.
      this.#listeners.missed();
      this.#hears = true;
      this.#beat(client);
    } catch {
      this.#lost(client);
    }
  }

  /** Reads by the connection that listens, which has nothing else to do; no rows while it is lost. */
  async read<Row>(statement: string): Promise<Row[]> {
    return this.#hears && this.#client !== undefined ? (await this.#client.query(statement)).rows : [];
  }

  async close(): Promise<void> {
    this.#isClosed = true;
    this.#hears = false;
    clearTimeout(this.#retry);
    await this.#client?.end().catch(() => {});
  }

  #receive(payload: string): void {
    const [node, ...events] = JSON.parse(payload) as Notice;
    if (node === this.#node) return;
    if (events.length === 0) this.#listeners.missed();
    this.#listeners.committed(
      events.map(([instanceId, type, aggregateType, aggregateId, ownerId]) => ({
        instanceId,
        type,
        aggregateType,
        aggregateId,
        ownerId,
      })),
    );
  }

  // A connection that was cut silently looks healthy until it is used.
  #beat(client: pg.Client): void {
    this.#retry = setTimeout(() => {
      client.query("select 1").then(
        () => this.#client === client && this.#hears && this.#beat(client),
        () => this.#lost(client),
      );
    }, heartbeatMilliseconds).unref();
  }

  #lost(client: pg.Client): void {
    if (this.#client !== client || this.#isClosed) return;
    this.#client = undefined;
    this.#hears = false;
    clearTimeout(this.#retry);
    void client.end().catch(() => {});
    const delay = Math.min(longestRetryMilliseconds, 50 * 2 ** this.#failures++);
    this.#retry = setTimeout(() => void this.start(), delay).unref();
  }
}
