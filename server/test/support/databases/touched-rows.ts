import assert from "node:assert/strict";
import { type Database, type Reader, type Sql, sql } from "../../../src/database/index.ts";

/** A step of a plan, as PostgreSQL explains it. */
export interface Node {
  readonly "Actual Rows": number;
  readonly "Actual Loops": number;
  readonly "Rows Removed by Filter"?: number;
  readonly Plans?: readonly Node[];
}

/** Returns the largest number of rows that one step of a plan looked at. */
export function mostRowsOf(node: Node): number {
  const rows = node["Actual Rows"] + (node["Rows Removed by Filter"] ?? 0);
  return Math.max(rows * node["Actual Loops"], ...(node.Plans ?? []).map(mostRowsOf));
}

// All rows of an instance, or a whole table: nothing but the instance is compared, and what is read is a table.
const walk = /^(?:SCAN (?:a|d|g|i|m|o|p|r|u|users|user_words|sessions|authorizations)\b|SEARCH .*\(instance_id=\?\)$)/;

/** Whether a statement counts what an index has, up to a number. */
const isBounded = ({ shape }: Sql): boolean =>
  /^select count\(\*\) as "count" from \(select 1 as "one" from [\s\S]* limit \S+ \+ 0\)\) counted$/.test(shape.sqlite);

/**
 * A reader that notes what its lists looked at and is more than a number of rows: on SQLite the steps that read
 * everything of an instance, on PostgreSQL the statements of which a step read more.
 */
export function watchedReader({ engine, read }: Database, most: number): { reader: Reader; long: string[] } {
  const long: string[] = [];
  const watch = async (statement: Sql): Promise<void> => {
    if (engine === "sqlite") {
      if (isBounded(statement)) return;
      const steps = await read.all<{ detail: string }>(sql`explain query plan ${statement}`);
      long.push(...steps.map(({ detail }) => detail).filter((detail) => walk.test(detail)));
      return;
    }
    const [row] = await read.all<Record<string, readonly { readonly Plan: Node }[]>>(
      sql`explain (analyze, format json) ${statement}`,
    );
    const rows = mostRowsOf(row?.["QUERY PLAN"]?.[0]?.Plan ?? assert.fail());
    if (rows > most) long.push(`${rows} rows: ${statement.shape.postgres}`);
  };
  const reader: Reader = {
    engine,
    all: async (statement) => {
      await watch(statement);
      return read.all(statement);
    },
    maybe: async (statement) => {
      await watch(statement);
      return read.maybe(statement);
    },
  };
  return { reader, long };
}
