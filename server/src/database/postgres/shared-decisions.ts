import { setImmediate } from "node:timers/promises";
import type { QueryConfig } from "pg";
import { createBoundedMap } from "../../base/bounded-map.ts";
import { currentPayer, type Payer } from "../../base/budget/payer.ts";
import { seconds } from "../../base/clock.ts";
import { toDatabaseError } from "./errors.ts";
import type { Lease } from "./lease.ts";
import { Packet, type StatementResult } from "./packet.ts";
import { type SharedPart, SharedTransaction } from "./shared-transaction.ts";
import { beginStatement } from "./statements.ts";

// More would keep the first ones waiting for no gain.
const mostTogether = 64;
/** Milliseconds for which units of a source that broke a transaction have their own, or of a block with several. */
const timeAlone = seconds(10);
const mostOfBlock = 4;

interface Waiting {
  readonly query: QueryConfig;
  /** The account that pays for the unit, and the wider ones but the instance: a source, then its block. */
  readonly sources: readonly string[];
  readonly resolve: (part: SharedPart | undefined) => void;
}

/**
 * Lets units of work whose first statement decides everything share transactions (`Tx.decide`): those that come while
 * one is under way are in the next one, so that a single packet decides them, and a single one writes what follows.
 * Nothing waits when nothing is under way.
 *
 * A unit decides by itself where too many wait already, where the server refused one of the statements, and where its
 * own statement found nothing: the row may be that of an earlier unit of the same transaction, whose end it has to wait
 * for before it looks why. A unit that gives up takes everything back, and the others are repeated. So units of its
 * source are by themselves for some time: otherwise one caller could do that to all transactions.
 */
export class SharedDecisions {
  readonly #acquire: () => Promise<Lease>;
  readonly #queue: Waiting[] = [];
  /** How often sources and blocks broke a transaction, and until when that counts, by the monotonic clock. */
  readonly #breaks = createBoundedMap<Breaks>({ most: 10_000, mostSize: 10_000, sizeOf: () => 1 });
  #draining: Promise<void> | undefined;

  /** `acquire` returns a connection that nothing else waits for, whose statements wait shortly for locks. */
  constructor(acquire: () => Promise<Lease>) {
    this.#acquire = acquire;
  }

  /** Executes the statement in a shared transaction; undefined when the unit has to execute it in its own. */
  async decide(query: QueryConfig): Promise<SharedPart | undefined> {
    const sources = sourcesOf(currentPayer());
    if (this.#queue.length >= mostTogether || sources.some((_, level) => this.#isAlone(sources, level)))
      return undefined;
    return new Promise((resolve) => {
      this.#queue.push({ query, sources, resolve });
      this.#draining ??= this.#drain();
    });
  }

  /** Resolves when nothing is under way. */
  async idle(): Promise<void> {
    await this.#draining;
  }

  async #drain(): Promise<void> {
    while (this.#queue.length > 0) {
      // What the event loop found together decides together.
      await setImmediate();
      await this.#decideTogether(this.#queue.splice(0));
    }
    this.#draining = undefined;
  }

  async #decideTogether(units: readonly Waiting[]): Promise<void> {
    const lease = await this.#acquire().catch(() => undefined);
    if (lease === undefined) {
      for (const { resolve } of units) resolve(undefined);
      return;
    }
    const { error, results } = await execute(lease, [beginStatement, ...units.map(({ query }) => query)]);
    const transaction = new SharedTransaction(lease);
    if (error !== undefined) {
      transaction.note(toDatabaseError(error));
      await transaction.takeBack();
      const refused = units[results.length - 1];
      if (refused !== undefined) this.#leaveAlone(refused.sources);
      for (const { resolve } of units) resolve(undefined);
      return;
    }
    for (const [index, { sources, resolve }] of units.entries()) {
      const decision = results[index + 1];
      resolve(decision?.rows.length === 0 ? undefined : decision && transaction.join(decision, sources));
    }
    for (const sources of await transaction.finish()) this.#leaveAlone(sources);
  }

  #isAlone(sources: readonly string[], level: number): boolean {
    const breaks = this.#breaks.get(sources[level] ?? "");
    return breaks !== undefined && breaks.until > performance.now() && breaks.count >= (level === 0 ? 1 : mostOfBlock);
  }

  #leaveAlone(sources: readonly string[]): void {
    const now = performance.now();
    for (const source of sources) {
      const former = this.#breaks.get(source);
      const count = former !== undefined && former.until > now ? former.count : 0;
      this.#breaks.put(source, { count: count + 1, until: now + timeAlone });
    }
  }
}

interface Breaks {
  readonly count: number;
  readonly until: number;
}

// From the narrowest on; all of an instance are never left alone.
const sourcesOf = (payer: Payer): string[] =>
  payer.slice(1).map((_, level) => payer.slice(0, payer.length - level).join(" "));

interface Execution {
  readonly error: Error | undefined;
  /** Of the statements before the one that failed, or of all. */
  readonly results: readonly StatementResult[];
}

const execute = ({ client }: Lease, queries: readonly QueryConfig[]): Promise<Execution> =>
  new Promise((resolve) => {
    client.query(new Packet(client, queries, (error, results) => resolve({ error: error ?? undefined, results })));
  });
