import type { Sql } from "../sql.ts";
import type { Send } from "./lanes.ts";
import type { StatementResult } from "./packet.ts";
import { mayShare, sharedQuery, sizes } from "./shared-query.ts";
import { toQuery } from "./statements.ts";

type Row = Record<string, unknown>;

/** A read that waits for those that come with it. */
interface Waiting {
  readonly statement: Sql;
  readonly resolve: (rows: Row[]) => void;
  readonly reject: (error: unknown) => void;
}

/**
 * Makes one statement of reads by key that come together: once the event loop has looked at all requests that are
 * there, those of the same text and instance. Each is answered as if it were alone; the statement begins after the last
 * of them was asked for, so none sees less than it would have. Where the statement fails, each is repeated alone, and
 * only that decides.
 */
export class SharedReads {
  readonly #connection: () => Send;
  #waiting: Waiting[] = [];

  /** `connection` chooses the connection over which all that came together is sent. */
  constructor(connection: () => Send) {
    this.#connection = connection;
  }

  all(statement: Sql): Promise<Row[]> {
    return new Promise((resolve, reject) => {
      this.#waiting.push({ statement, resolve, reject });
      if (this.#waiting.length === 1) setImmediate(() => this.sendAll());
    });
  }

  /** Sends what waits without waiting for more. */
  sendAll(): void {
    const waiting = this.#waiting;
    if (waiting.length === 0) return;
    this.#waiting = [];
    const send = this.#connection();
    for (const alike of alikeOf(waiting)) {
      let start = 0;
      for (const size of sizes) {
        for (; alike.length - start >= size; start += size) void together(send, alike.slice(start, start + size));
      }
      for (const each of alike.slice(start)) void alone(send, each);
    }
  }
}

/** Returns lists of reads that may share statements: of one text and one instance. */
function alikeOf(waiting: readonly Waiting[]): Iterable<readonly Waiting[]> {
  if (waiting.length === 1) return [waiting];
  const single: Waiting[][] = [];
  const shared: Waiting[] = [];
  for (const each of waiting) {
    if (mayShare(each.statement)) shared.push(each);
    else single.push([each]);
  }
  const byShape = Map.groupBy(shared, ({ statement }) => statement.shape);
  return [...byShape.values()].reduce<Waiting[][]>((lists, ofShape) => {
    lists.push(...Map.groupBy(ofShape, ({ statement }) => statement.sharedIn).values());
    return lists;
  }, single);
}

async function together(send: Send, reads: readonly Waiting[]): Promise<void> {
  let result: StatementResult;
  try {
    result = await send(sharedQuery(reads.map(({ statement }) => statement)));
  } catch {
    for (const each of reads) void alone(send, each);
    return;
  }
  const rows: Row[][] = reads.map(() => []);
  for (const [index, reader] of (result.readers ?? []).entries()) rows[reader]?.push(result.rows[index] as Row);
  for (const [index, { resolve }] of reads.entries()) resolve(rows[index] as Row[]);
}

async function alone(send: Send, { statement, resolve, reject }: Waiting): Promise<void> {
  try {
    resolve((await send(toQuery(statement))).rows);
  } catch (error) {
    reject(error);
  }
}
