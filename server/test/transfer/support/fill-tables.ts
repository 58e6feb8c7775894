import { type Reader, type SqlValue, sql, type Tx, text } from "../../../src/database/index.ts";
import { sealedValuesOf } from "../../../src/domain/transfer/seal-context.ts";
import { type ExportedTable, exportedTables } from "../../../src/domain/transfer/tables/exported-tables.ts";
import { columnsOf } from "../../../src/domain/transfer/tables/table.ts";
import { hasRows } from "../../../src/domain/transfer/transfer.store.ts";
import { testCall } from "../../support/operations/call.ts";
import type { TestServer } from "../../support/servers/server.ts";

/** What a text may consist of: quotes, line ends, a line separator, more than two bytes, and what JSON escapes. */
const oddText = `"ß'\n\r\t\\ \u2028 😀 ς \u0001 {"sealed":"x"}`;

/** Inserts a row with odd texts into every exported table that has none. Returns the names of these tables. */
export async function fillEmptyTables({ app }: TestServer): Promise<string[]> {
  const { database, vault } = app.domain;
  const instance = await app.domain.findInstanceByHost("localhost");
  const call = testCall({ instanceId: instance?.instanceId ?? "" });
  const filled: string[] = [];
  for (const table of exportedTables) {
    if (await hasRows(database.read, table)) continue;
    const integers = await integersOf(database.read, table.name);
    const allowed = await allowedIn(database.read, table.name);
    const row = columnsOf(table).map((column): SqlValue => {
      if (column === "instance_id") return call.instanceId;
      return allowed.get(column) ?? (integers.has(column) ? 7 : `${column} ${oddText}`);
    });
    for (const { index, contextOf } of sealedValuesOf(table)) {
      row[index] = vault.encrypt(`sealed ${oddText}`, contextOf(row));
    }
    await database.touch(call, (tx) => insert(tx, table, row));
    filled.push(table.name);
  }
  return filled;
}

async function insert(tx: Tx, table: ExportedTable, row: readonly SqlValue[]): Promise<void> {
  const isCursor = table.name === "feed_cursors";
  const columns = isCursor ? sql`${text(table.columns)}, transaction_id` : text(table.columns);
  const values = [...row, ...(isCursor ? ["0"] : [])].map((value) => sql`${value}`);
  const list = values.reduce((before, value) => sql`${before}, ${value}`);
  await tx.run(sql`insert into ${text(table.name)} (${columns}) values (${list})`);
}

async function integersOf(read: Reader, table: string): Promise<Set<string>> {
  const rows = await read.all<{ column: string }>(
    read.engine === "sqlite"
      ? sql`select name as "column" from pragma_table_info(${table}) where lower(type) = 'integer'`
      : sql`select column_name as "column" from information_schema.columns
          where table_schema = 'public' and table_name = ${table} and data_type = 'bigint'`,
  );
  return new Set(rows.map(({ column }) => column));
}

/** The first value of each column that takes only some. */
async function allowedIn(read: Reader, table: string): Promise<ReadonlyMap<string, string>> {
  const rows = await read.all<{ definition: string }>(
    read.engine === "sqlite"
      ? sql`select sql as "definition" from sqlite_schema where type = 'table' and name = ${table}`
      : sql`select pg_get_constraintdef(oid) as "definition" from pg_constraint
          where contype = 'c' and conrelid = ${table}::text::regclass`,
  );
  const list = /check \(+(\w+) (?:in \(|= any \(\(?array\[)'([^']*)'/gi;
  return new Map(
    rows.flatMap(({ definition }) =>
      Array.from(definition.matchAll(list), ([, column = "", value = ""]) => [column, value] as const),
    ),
  );
}
