import { sql, text } from "../../../src/database/index.ts";
import type { TestServer } from "../../support/servers/server.ts";

/** Every value of every row of every table, each with where it was found. */
export async function everythingStored({ app, location }: TestServer): Promise<{ table: string; row: string }[]> {
  const { read } = app.domain.database;
  const isSqlite = location.url === undefined;
  const columns = await read.all<{ table: string; column: string }>(
    isSqlite
      ? sql`select m.name as "table", c.name as "column" from sqlite_master m, pragma_table_info(m.name) c where m.type = 'table'`
      : sql`select table_name as "table", column_name as "column" from information_schema.columns
          where table_schema = current_schema()`,
  );
  const tables = Object.entries(Object.groupBy(columns, ({ table }) => table));
  const rows = await Promise.all(
    tables.map(async ([table, its = []]) => {
      // Some numbers are larger than those of the language.
      const values = its.map(({ column }) =>
        isSqlite
          ? `case typeof("${column}") when 'integer' then cast("${column}" as text) else "${column}" end`
          : `"${column}"`,
      );
      const found = await read.all<object>(
        sql`select ${text(values.join(", ") as "row_id")} from ${text(table as "events")}`,
      );
      return found.map((row) => ({ table, row: Object.values(row).map(asText).join(" ") }));
    }),
  );
  return rows.flat();
}

const asText = (value: unknown): string =>
  value instanceof Uint8Array ? Buffer.from(value).toString("latin1") : String(value);
