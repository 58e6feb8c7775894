import assert from "node:assert/strict";
import { test } from "node:test";
import { type Reader, sql } from "../../src/database/index.ts";
import { onPostgres } from "../support/databases/databases.ts";
import { testCall } from "../support/operations/call.ts";

// PostgreSQL writes all indexes of a table for a row when a column changes that stands in any of them, conditions
// included.

/** Columns that every change of a row, or every sign-in, writes. */
const counted = ["sequence", "failed_password_checks", "last_password_check_at", "sign_in_epoch"];

/** The events of an aggregate are numbered and never change. */
const isExempt = (table: string, column: string): boolean =>
  (table === "events" && column === "sequence") || (table === "sign_ins" && column === "sign_in_epoch");

/** Lists indexes that have a column of these, in their keys or their conditions. */
async function listIndexesOfCounted(reader: Reader): Promise<string[]> {
  const indexes = await reader.all<{ table: string; name: string; definition: string }>(sql`select tablename as "table",
      indexname as "name", indexdef as "definition" from pg_indexes where schemaname = current_schema() order by 1, 2`);
  assert.ok(indexes.length > 100);
  return indexes
    .filter(({ table, definition }) =>
      counted.some((column) => !isExempt(table, column) && new RegExp(`\\b${column}\\b`).test(definition)),
    )
    .map(({ name }) => name);
}

onPostgres((open) => {
  test("no index has a column that is counted up with each change of a row", async (t) => {
    const database = await open(t);
    assert.deepEqual(await listIndexesOfCounted(database.read), []);
    await database.touch(testCall(), async (tx) => {
      await tx.run(sql`create index planted on users (instance_id, nick_name) where sequence > 0`);
    });
    assert.deepEqual(await listIndexesOfCounted(database.read), ["planted"]);
  });
});
