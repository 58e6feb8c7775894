import type { Call } from "../../src/call/index.ts";
import type { Database, Reader, Sql, Tx } from "../../src/database/index.ts";

/** Statements that a server sent to its database. */
export interface CountedStatements {
  /** Returns what was sent while the work ran, in order, without the background jobs' share. */
  during(work: () => Promise<unknown>): Promise<string[]>;
}

/** Notes every statement that requests send through a database from now on: single reads, and those of units of work. */
export function countStatements(database: Database): CountedStatements {
  let sent: string[] | undefined;
  const note = ({ shape }: Sql): void => void sent?.push(shape.sqlite.replaceAll(/\s+/g, " ").trim());
  const { read } = database;
  const [all, maybe] = [read.all.bind(read), read.maybe.bind(read)];
  // On PostgreSQL `maybe` reads by `all`, which must not count it again.
  let isInside = false;
  const counted: Pick<Reader, "all" | "maybe"> = {
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
  Object.assign(read, counted);
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
  return {
    during: async (work) => {
      const noted: string[] = [];
      sent = noted;
      try {
        await work();
        return noted;
      } finally {
        sent = undefined;
      }
    },
  };
}
