import type { Connection } from "./connection.ts";

/**
 * Removes what an operator's `analyze` left in the file, and returns whether there was something. Statements are
 * written for an engine that knows no statistics: those of a small or former database lead it to read whole tables. The
 * connection has read them and has to be opened again.
 */
export function dropStatistics({ database }: Connection): boolean {
  const tables = database.prepare("select name from sqlite_schema where name glob 'sqlite_stat[0-9]'").all();
  for (const { name } of tables) database.exec(`drop table ${String(name)}`);
  return tables.length > 0;
}
