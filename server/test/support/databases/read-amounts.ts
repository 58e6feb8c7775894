import type { Call } from "../../../src/call/index.ts";
import type { Database, Sql, Tx } from "../../../src/database/index.ts";

/** What requests read: how many statements they sent, and the rows and characters of their answers. */
export interface ReadAmounts {
  readonly statements: number;
  readonly rows: number;
  readonly characters: number;
}

/** Measures what is read through a database from now on, by single reads and in units of work. */
export function measureReads(database: Database): {
  during(work: () => Promise<unknown>): Promise<ReadAmounts>;
} {
  let read: { -readonly [Name in keyof ReadAmounts]: number } | undefined;
  // On PostgreSQL `maybe` reads by `all`, which must not count it again.
  let isInside = false;
  const measured = (ask: (statement: Sql) => Promise<unknown>) => async (statement: Sql) => {
    const isOutermost = !isInside;
    isInside = true;
    let asked: Promise<unknown>;
    try {
      asked = ask(statement);
    } finally {
      if (isOutermost) isInside = false;
    }
    const answer = await asked;
    if (read === undefined || !isOutermost) return answer;
    const rows = [answer].flat().filter((row) => row !== undefined);
    read.statements += 1;
    read.rows += rows.length;
    read.characters += JSON.stringify(rows).length;
    return answer;
  };
  const { read: reader } = database;
  Object.assign(reader, { all: measured(reader.all.bind(reader)), maybe: measured(reader.maybe.bind(reader)) });
  const inUnit = (tx: Tx): Tx =>
    new Proxy(tx, {
      get: (target, name) => {
        const value: unknown = Reflect.get(target, name, target);
        if (typeof value !== "function") return value;
        const method = value.bind(target) as (statement: Sql) => Promise<unknown>;
        return name === "all" || name === "maybe" ? measured(method) : method;
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
      const amounts = { statements: 0, rows: 0, characters: 0 };
      read = amounts;
      try {
        await work();
        return amounts;
      } finally {
        read = undefined;
      }
    },
  };
}
