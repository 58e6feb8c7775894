import pg, { type ClientConfig } from "pg";
import { seconds } from "../../base/clock.ts";
import { systemRandom } from "../../base/random.ts";
import type { CommittedEvent, NewEvent } from "../database.ts";
import type { Listeners } from "../listeners.ts";
import { type Sql, sql } from "../sql.ts";

const channel = "doorward_events";
// PostgreSQL takes less than 8,000 bytes.
const longestNotice = 7_900;
const heartbeatMilliseconds = seconds(1);
const longestRetryMilliseconds = seconds(1);

/** `[node, [instance, type, aggregate type, aggregate id, owner] …]`; without events: more happened than fits. */
type Notice = readonly [node: string, ...events: readonly (readonly [string, string, string, string, string])[]];

/**
 * Tells other nodes of committed events, and hears them. The server delivers a notice when its transaction commits. It takes
 * one lock of the whole server for each commit that has one, so only events that make a cache stale are told.
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

  /** The statement that tells of the events, or undefined when nobody needs to know. */
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

  /** Begins to hear. Resolves after the first attempt; later ones follow until `close`. */
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
      // What was committed while nobody listened here is not told later.
      this.#listeners.missed();
      this.#hears = true;
      this.#beat(client);
    } catch {
      this.#lost(client);
    }
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
    for (const [instanceId, type, aggregateType, aggregateId, ownerId] of events) {
      const event: CommittedEvent = { instanceId, type, aggregateType, aggregateId, ownerId };
      this.#listeners.committed(event);
    }
  }

  // A connection that was cut off silently looks fine until something is asked of it.
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
