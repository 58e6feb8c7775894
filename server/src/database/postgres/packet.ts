import pg, { type ClientBase, type QueryConfig } from "pg";
import { FrontendMessages } from "./frontend-messages.ts";
import { typeParserOf } from "./settings.ts";

/** What a statement returned. */
export interface StatementResult {
  /** `SELECT`, `INSERT`, `COMMIT` … */
  command: string;
  /** Rows that it returned or changed. */
  count: number;
  readonly rows: Record<string, unknown>[];
  /** Of a shared read (`shared-reads.ts`): the number of the read that each row answers. */
  readonly readers?: readonly number[];
}

/** The name of the first column of a shared read. It is no column of a row. */
export const readerColumn = "reader#";

interface Column {
  readonly name: string;
  readonly parse: (text: string) => unknown;
}

/** A statement that was prepared on a connection. */
interface Prepared {
  /** What it returns, once the server has said so; it never changes for a prepared statement. */
  columns: readonly Column[] | undefined;
  /** Whether the server may have refused to prepare it. */
  isDoubtful: boolean;
}

// The parts of `pg` that its types omit.
interface Connection {
  readonly stream: { readonly writable: boolean; write(bytes: Buffer): boolean };
}
interface RowDescription {
  readonly fields: readonly { readonly name: string; readonly dataTypeID: number }[];
}

const messages = new FrontendMessages();
const preparedOf = new WeakMap<ClientBase, Map<string, Prepared>>();
const nothing: readonly Column[] = [];

/**
 * Statements that are sent to the server at once, and confirmed at once. A query of `pg` asks the server for the
 * columns of each result and confirms each statement; here the columns of a prepared statement are asked for once in a
 * connection.
 */
export class Packet {
  /** Called when all is done, or with the first error; `pg` wraps it to limit the time. */
  callback: (error: Error | null) => void;
  readonly #queries: readonly QueryConfig[];
  readonly #prepared: Map<string, Prepared>;
  readonly #results: StatementResult[] = [];
  /** What this packet uses, by the index of the statement: a later packet may prepare the same name again. */
  readonly #used: Prepared[] = [];
  /** Statements that this packet prepares, by their index. */
  readonly #preparing = new Map<number, Prepared>();
  #columns: readonly Column[] | undefined;
  #rows: Record<string, unknown>[] = [];
  #readers: number[] | undefined;
  #failure: Error | undefined;

  constructor(
    client: ClientBase,
    queries: readonly QueryConfig[],
    callback: (error: Error | null, results: StatementResult[]) => void,
  ) {
    this.#queries = queries;
    this.#prepared = preparedOf.get(client) ?? new Map();
    preparedOf.set(client, this.#prepared);
    this.callback = (error) => callback(error, this.#results);
  }

  /** Called by `pg`, which passes on the error that it returns. */
  submit(connection: Connection): Error | null {
    try {
      this.#write();
    } catch (error) {
      messages.take();
      this.#doubt();
      return error as Error;
    }
    const packet = messages.take();
    if (connection.stream.writable) connection.stream.write(packet);
    return null;
  }

  handleRowDescription({ fields }: RowDescription): void {
    this.#columns = fields.map(({ name, dataTypeID }) => ({ name, parse: typeParserOf(dataTypeID) }));
    const prepared = this.#used[this.#results.length];
    if (prepared !== undefined) prepared.columns = this.#columns;
  }

  handleDataRow({ fields }: { readonly fields: readonly (string | null)[] }): void {
    this.#columns ??= this.#used[this.#results.length]?.columns ?? nothing;
    try {
      // The packet that asked for the columns failed before the server named them.
      if (fields.length !== this.#columns.length) throw new Error("the columns of a statement are not known");
      const isShared = this.#columns[0]?.name === readerColumn;
      if (isShared) {
        this.#readers ??= [];
        this.#readers.push(Number(fields[0]));
      }
      this.#rows.push(toRow(this.#columns, fields, isShared ? 1 : 0));
    } catch (error) {
      this.#failure ??= error as Error;
    }
  }

  handleCommandComplete({ text }: { readonly text: string }): void {
    const [command = ""] = text.split(" ", 1);
    const count = Number(text.slice(text.lastIndexOf(" ") + 1)) || 0;
    this.#results.push({ command, count, rows: this.#rows, ...(this.#readers && { readers: this.#readers }) });
    this.#rows = [];
    this.#readers = undefined;
    this.#columns = undefined;
  }

  handleEmptyQuery(): void {
    this.handleCommandComplete({ text: "" });
  }

  handleReadyForQuery(): void {
    this.callback(this.#failure ?? null);
  }

  handleError(error: Error): void {
    this.#doubt();
    this.callback(error);
  }

  #write(): void {
    for (const [index, { name = "", text, values = [] }] of this.#queries.entries()) {
      const isKnown = this.#prepare(index, name, text);
      messages.bind(name, values);
      if (!isKnown) messages.describe();
      messages.execute();
    }
    messages.sync();
  }

  #doubt(): void {
    for (const [index, prepared] of this.#preparing) if (index >= this.#results.length) prepared.isDoubtful = true;
  }

  // Returns whether the columns of the statement are known, or will be when it is answered.
  #prepare(index: number, name: string, text: string): boolean {
    if (name === "") {
      messages.parse("", text);
      return false;
    }
    const known = this.#prepared.get(name);
    if (known?.isDoubtful === false) {
      this.#used[index] = known;
      // Until the server has named them: the packet that asked may fail before.
      return known.columns !== undefined;
    }
    if (known !== undefined) messages.close(name);
    messages.parse(name, text);
    const prepared = { columns: undefined, isDoubtful: false };
    this.#prepared.set(name, prepared);
    this.#used[index] = prepared;
    this.#preparing.set(index, prepared);
    return false;
  }
}

// In pipeline mode `pg` refuses what is no query of its own, because a cursor could not share a connection.
Object.setPrototypeOf(Packet.prototype, pg.Query.prototype);

function toRow(columns: readonly Column[], fields: readonly (string | null)[], first: number): Record<string, unknown> {
  const row: Record<string, unknown> = {};
  for (let index = first; index < columns.length; index++) {
    const column = columns[index] as Column;
    const field = fields[index];
    row[column.name] = field === null || field === undefined ? null : column.parse(field);
  }
  return row;
}
