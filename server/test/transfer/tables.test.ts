import assert from "node:assert/strict";
import { test } from "node:test";
import { type Database, sql } from "../../src/database/index.ts";
import { sealedColumns } from "../../src/domain/reencryption/index.ts";
import { sealedValuesOf } from "../../src/domain/transfer/seal-context.ts";
import { excludedColumns, excludedTables, exportedTables } from "../../src/domain/transfer/tables/exported-tables.ts";
import { columnsOf } from "../../src/domain/transfer/tables/table.ts";
import { eachEngine } from "../support/databases/databases.ts";

/** Every column of every table, as the engine knows them. */
async function schemaOf({ engine, read }: Database): Promise<{ table: string; column: string }[]> {
  return read.all(
    engine === "sqlite"
      ? sql`select t.name as "table", c.name as "column" from pragma_table_list t, pragma_table_info(t.name) c
          where t.schema = 'main' and t.name not in ('sqlite_schema', 'sqlite_temp_schema')`
      : sql`select table_name as "table", column_name as "column" from information_schema.columns
          where table_schema = 'public'`,
  );
}

/** The columns of each unique index, in their order. */
async function keysOf({ engine, read }: Database): Promise<Set<string>> {
  const rows = await read.all<{ table: string; index: string; column: string }>(
    engine === "sqlite"
      ? sql`select t.name as "table", i.name as "index", c.name as "column"
          from pragma_table_list t, pragma_index_list(t.name) i, pragma_index_info(i.name) c
          where t.schema = 'main' and i."unique" = 1 and i.partial = 0 order by 1, 2, c.seqno`
      : sql`select c.relname as "table", i.indexrelid::regclass::text as "index", a.attname as "column"
          from pg_index i join pg_class c on c.oid = i.indrelid,
            lateral unnest(i.indkey::int2[]) with ordinality k (number, at)
            join pg_attribute a on a.attnum = k.number
          where i.indisunique and i.indpred is null and a.attrelid = i.indrelid
            and c.relnamespace = 'public'::regnamespace order by 1, 2, k.at`,
  );
  const indexes = Object.values(Object.groupBy(rows, ({ index }) => index));
  return new Set(
    indexes.map((columns = []) => `${columns[0]?.table}: ${columns.map(({ column }) => column).join(", ")}`),
  );
}

eachEngine((open, engine) => {
  test("every table and column of the schema is exported, or excluded with a reason", async (t) => {
    const schema = await schemaOf(await open(t));
    const exported = new Map(exportedTables.map((table) => [table.name as string, new Set(columnsOf(table))]));
    assert.equal(exported.size, exportedTables.length, "a table is exported twice");
    const forgotten = schema.filter(
      ({ table, column }) =>
        !exported.get(table)?.has(column) &&
        excludedTables[table] === undefined &&
        excludedColumns[`${table}.${column}`] === undefined,
    );
    assert.deepEqual(forgotten, []);
    const existing = new Set(schema.map(({ table, column }) => `${table}.${column}`));
    const absent = [...exported].flatMap(([table, columns]) =>
      [...columns].map((column) => `${table}.${column}`).filter((column) => !existing.has(column)),
    );
    assert.deepEqual(absent, []);
    for (const name of Object.keys(excludedTables)) assert.ok(!exported.has(name), `${name} is in both lists`);
    for (const reason of Object.values({ ...excludedTables, ...excludedColumns })) assert.ok(reason.length > 15);
  });

  test("rows have one order: the columns of each order are unique", async (t) => {
    const keys = await keysOf(await open(t));
    // Positions are those of a sequence, and the rows of SQLite are in their order.
    const others = exportedTables.filter(({ name }) => name !== "events" && !(name === "feed_cursors"));
    const found = others.filter(({ name, key }) => keys.has(`${name}: ${key}`));
    assert.deepEqual(
      others.filter((table) => !found.includes(table)).map(({ name, key }) => `${name}: ${key}`),
      [],
      engine,
    );
  });
});

test("every sealed column is exported, with what its context consists of", () => {
  const known = exportedTables.flatMap((table) =>
    sealedValuesOf(table).map(({ index, contextOf }) => {
      const columns = columnsOf(table);
      return { column: `${table.name}.${columns[index]}`, context: contextOf(columns) };
    }),
  );
  assert.deepEqual(
    known.map(({ column }) => column).toSorted(),
    sealedColumns.map(({ table, column }) => `${table}.${column}`).toSorted(),
  );
  const contexts = new Map(known.map(({ column, context }) => [column, context]));
  assert.equal(contexts.get("deliveries.payload"), "deliveries/instance_id/target_id/lane/payload");
  assert.equal(contexts.get("sign_ins.sealed_sign_up"), "sign_ins/instance_id/way_id/sign_up");
});
