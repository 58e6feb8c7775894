import { createHash } from "node:crypto";
import type { QueryConfig } from "pg";
import { DatabaseUnavailable } from "../database.ts";
import type { Sql, SqlValue } from "../sql.ts";
import type { Send } from "./lanes.ts";
import { readerColumn, type StatementResult } from "./packet.ts";
import { toQuery } from "./statements.ts";

/** Reads of one statement: few different numbers, because each has a prepared statement of its own. */
const sizes = [16, 8, 4, 2];

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
 * of them was asked for, so none sees less than it would have. Where the statement fails, each is repeated alone.
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
    for (const alike of groups(waiting)) {
      let start = 0;
      for (const size of sizes) {
        for (; alike.length - start >= size; start += size) void together(send, alike.slice(start, start + size));
      }
      for (const each of alike.slice(start)) void alone(send, each);
    }
  }
}

async function together(send: Send, reads: readonly Waiting[]): Promise<void> {
  let result: StatementResult;
  try {
    result = await send(sharedQuery(reads.map(({ statement }) => statement)));
  } catch (error) {
    if (error instanceof DatabaseUnavailable) for (const each of reads) each.reject(error);
    else for (const each of reads) void alone(send, each);
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

// By text and instance, and by the kinds of values, which the shared statement has to name.
function groups(waiting: readonly Waiting[]): Iterable<readonly Waiting[]> {
  if (waiting.length === 1) return [waiting];
  const byShape = Map.groupBy(waiting, ({ statement }) => statement.shape);
  return [...byShape.values()].flatMap((alike) => [
    ...Map.groupBy(alike, ({ statement }) => `${kindsOf(statement.values)} ${statement.sharedIn}`).values(),
  ]);
}

type Kind = "bigint" | "text" | "null";

const kindsOf = (values: readonly SqlValue[]): string => values.map(kindOf).join(",");

const kindOf = (value: SqlValue): Kind => (value === null ? "null" : typeof value === "number" ? "bigint" : "text");

interface Named {
  readonly name: string;
  readonly text: string;
}

const made = new WeakMap<Sql["shape"], Map<string, Named>>();

/**
 * Returns the statement that reads for all of them: of one text, and with values of the same kinds. Each read stays a
 * query of its own (`offset 0`), so that its plan is the one that it has alone and the planner joins it with nothing.
 */
export function sharedQuery(statements: readonly Sql[]): QueryConfig {
  const [{ shape, values }] = statements as [Sql];
  const known = made.get(shape) ?? new Map<string, Named>();
  made.set(shape, known);
  const key = `${statements.length} ${kindsOf(values)}`;
  const named = known.get(key) ?? nameOf(sharedText(shape, values.map(kindOf), statements.length));
  known.set(key, named);
  return { ...named, values: statements.flatMap((statement): unknown[] => [...statement.values]) };
}

function nameOf(text: string): Named {
  return { name: `r${createHash("sha256").update(text).digest("base64url").slice(0, 24)}`, text };
}

function sharedText(shape: Sql["shape"], kinds: readonly Kind[], size: number): string {
  const rows = Array.from({ length: size }, (_, reader) => {
    const values = kinds.map(
      (kind, index) => `$${reader * kinds.length + index + 1}::${kind === "null" ? "text" : kind}`,
    );
    return `(${[reader, ...values].join(", ")})`;
  });
  const names = ["reader", ...kinds.map((_, index) => `value${index + 1}`)];
  return `select shared.reader as "${readerColumn}", found.*
    from (values ${rows.join(", ")}) shared (${names.join(", ")})
    cross join lateral (${shape.postgresWith((index) => `shared.value${index}`)} offset 0) found`;
}
