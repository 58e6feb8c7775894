import type { Call } from "../../server/src/call/index.ts";
import { type Database, sql, text } from "../../server/src/database/index.ts";

interface Index {
  readonly name: string;
  readonly definition: string;
}

/**
 * Does work that inserts very much without the indexes of the tables, and makes them again afterwards, as one fills any large database. Those that
 * keep rows unique stay.
 */
export async function withoutIndexes(
  database: Database,
  call: Call,
  tables: readonly string[],
  work: () => Promise<void>,
): Promise<void> {
  const indexes = (await listIndexes(database)).filter(({ table }) => tables.includes(table));
  await database.touch(call, async (tx) => {
    for (const { name } of indexes) await tx.run(sql`drop index ${literal(name)}`);
  });
  await work();
  for (const { definition } of indexes) {
    await database.touch(call, async (tx) => void (await tx.run(sql`${literal(definition)}`)));
  }
}

function listIndexes({ engine, read }: Database): Promise<(Index & { readonly table: string })[]> {
  return read.all(
    engine === "sqlite"
      ? sql`select name as "name", tbl_name as "table", sql as "definition" from sqlite_schema
          where type = 'index' and sql is not null and sql not like 'CREATE UNIQUE%'`
      : sql`select indexname as "name", tablename as "table", indexdef as "definition" from pg_indexes
          where schemaname = 'public' and indexdef not like 'CREATE UNIQUE%'`,
  );
}

// What the database itself said is no literal of the program; statements of the product take none but literals.
const literal = (given: string) => text(given as "index");
