import { Connection } from "./connection.ts";

/**
 * Removes what an operator's `analyze` left in the file. Statements are written for an engine that knows no statistics:
 * those of a small or former database lead it to read whole tables. They are removed before other connections read
 * them.
 */
export function dropStatistics(file: string): void {
  const connection = new Connection(file, { readOnly: false });
  try {
    const tables = connection.database
      .prepare("select name from sqlite_schema where name glob 'sqlite_stat[0-9]'")
      .all();
    for (const { name } of tables) connection.database.exec(`drop table ${String(name)}`);
  } finally {
    connection.close();
  }
}
