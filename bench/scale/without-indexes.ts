import { sql } from "../../server/src/database/index.ts";
import type { Loader } from "./loader.ts";

interface Index {
  readonly name: string;
  readonly definition: string;
}

/**
 * Does work that inserts very much into a table without its indexes, and makes them again afterwards, as one fills any
 * large database. Those that keep rows unique stay.
 */
export async function withoutIndexes(loader: Loader, table: string, work: () => Promise<void>): Promise<void> {
  const indexes = await listIndexes(loader, table);
  for (const { name } of indexes) await loader.define(`drop index ${name}`);
  await work();
  await Promise.all(indexes.map(({ definition }) => loader.define(definition)));
}

/** Indexes of a table that do not keep its rows unique. */
function listIndexes(loader: Loader, table: string): Promise<Index[]> {
  return loader.all(
    loader.engine === "sqlite"
      ? sql`select name as "name", sql as "definition" from sqlite_schema
          where type = 'index' and tbl_name = ${table} and sql is not null and sql not like 'CREATE UNIQUE%' collate nocase`
      : // What takes longest first.
        sql`select indexname as "name", indexdef as "definition" from pg_indexes
          where schemaname = 'public' and tablename = ${table} and indexdef not like 'CREATE UNIQUE%' order by indexdef not like '% gin %'`,
  );
}
