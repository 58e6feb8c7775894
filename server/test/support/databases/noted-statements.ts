import type { Call } from "../../../src/call/index.ts";
import type { Database, Reader, Sql, Tx } from "../../../src/database/index.ts";

/**
 * Calls a function with every statement that requests send through a database from now on: single reads, and those of
 * units of work.
 */
export function noteStatements(database: Database, note: (statement: Sql) => void): void {
  const { read } = database;
  const [all, maybe] = [read.all.bind(read), read.maybe.bind(read)];
  // On PostgreSQL `maybe` reads by `all`, which must not count it again.
  let isInside = false;
  const noted: Pick<Reader, "all" | "maybe"> = {
    all: (statement) => {
      if (!isInside) note(statement);
      return all(statement);
    },
    maybe: (statement) => {
      note(statement);
      isInside = true;
      try {
        return maybe(statement);
      } finally {
        isInside = false;
      }
    },
  };
  Object.assign(read, noted);
  if (read.atLength !== undefined) {
    const atLength = read.atLength.all.bind(read.atLength);
    Object.assign(read.atLength, {
      all: (statement: Sql) => {
        note(statement);
        return atLength(statement);
      },
    });
  }
  const inUnit = (tx: Tx): Tx =>
    new Proxy(tx, {
      get: (target, name) => {
        const value: unknown = Reflect.get(target, name, target);
        if (typeof value !== "function") return value;
        const method = value.bind(target) as (...given: unknown[]) => unknown;
        if (name === "record") return method;
        return (statement: Sql) => {
          note(statement);
          return method(statement);
        };
      },
    });
  for (const kind of ["change", "touch"] as const) {
    const run = database[kind].bind(database);
    Object.assign(database, {
      [kind]: (call: Call, work: (tx: Tx) => Promise<unknown>) => run(call, (tx) => work(inUnit(tx))),
    });
  }
}
