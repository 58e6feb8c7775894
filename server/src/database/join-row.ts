import type { Reader } from "./database.ts";
import { type Sql, sql, text } from "./sql.ts";

interface Keyed {
  readonly table: Sql;
  readonly alias: Sql;
  /** The whole key: by values, and by columns of the tables before it. */
  readonly key: Sql;
}

/**
 * The row of a table that has a key, to begin a `from` with. On PostgreSQL it is looked up by the key alone, whatever
 * the statistics are: in a small or young instance the planner would as well read all rows that meet another condition.
 */
export const rowOf = (reader: Reader, row: Keyed): Sql => sql`(${lookup(reader, row)}) ${row.alias}`;

/** Joins the row of a table that has a key, which is looked up for each row of the tables before it as in `rowOf`. */
export function joinRow(reader: Reader, { kind, ...row }: Keyed & { readonly kind: "inner" | "left" }): Sql {
  const join = text(kind === "left" ? "left join" : "join");
  return reader.engine === "postgres"
    ? sql`${join} lateral ${rowOf(reader, row)} on true`
    : sql`${join} ${row.table} ${row.alias} on ${row.key}`;
}

// PostgreSQL plans a query with an offset by itself.
const lookup = ({ engine }: Reader, { table, alias, key }: Keyed): Sql =>
  sql`select * from ${table} ${alias} where ${key} ${text(engine === "postgres" ? "offset 0" : "")}`;
