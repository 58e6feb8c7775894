import assert from "node:assert/strict";
import { test } from "node:test";
import { type Database, type Sql, sql } from "../../src/database/index.ts";
import { toStatement } from "../../src/domain/event-log/event-list.store.ts";
import type { EventSearch } from "../../src/domain/event-log/event-search.ts";
import { eachEngine } from "../support/databases/databases.ts";
import { testCall } from "../support/operations/call.ts";

const instanceId = "instance-1";
const everything: EventSearch = { limit: 100, isAscending: false, types: [], aggregateTypes: [], time: {} };

/** Each filter, and the index that serves it. */
const filters: readonly [name: string, search: Partial<EventSearch>, index: RegExp][] = [
  ["none", {}, /events_by_creation/],
  ["range", { time: { since: 1_800_000_000_100, until: 1_800_000_000_200 } }, /events_by_creation/],
  ["from", { time: { before: 1_800_000_000_500 } }, /events_by_creation/],
  ["type", { types: ["user.created"] }, /events_by_type/],
  ["types", { types: ["user.created", "session.created", "no.such"] }, /events_by_type/],
  ["kind", { aggregateTypes: ["session"] }, /events_by_type/],
  ["record", { aggregateId: "user-1" }, /sqlite_autoindex_events|events_pkey/],
  ["record of a kind", { aggregateId: "user-1", aggregateTypes: ["user"] }, /sqlite_autoindex_events|events_pkey/],
  ["editor", { editorUserId: "user-1" }, /events_by_editor/],
  ["owner", { ownerId: "organization-1" }, /events_by_owner/],
  ["sequence", { afterSequence: 20 }, /events_by_sequence/],
];

// Few of each value, as in an instance that has been used: the engines know their shares.
async function fill(database: Database): Promise<void> {
  const types = ["user.created", "session.created", "session.updated"];
  for (let batch = 0; batch < 20; batch++) {
    const now = 1_800_000_000_000 + batch * 50;
    await database.change(testCall({ instanceId, now, caller: editor(batch) }), async (tx) => {
      for (let each = 0; each < 250; each++) {
        const type = types[each] ?? "token_family.refreshed";
        const aggregateType = type.split(".")[0] as string;
        const record = {
          aggregateType,
          aggregateId: `${aggregateType}-${batch}-${each}`,
          sequence: each === 0 ? 21 : 1,
        };
        tx.record({ type, ...record, ownerId: `organization-${each % 50}` });
      }
    });
  }
  if (database.engine === "postgres")
    await database.touch(testCall({ instanceId }), (tx) => tx.run(sql`analyze events`));
}

const editor = (batch: number) => ({ userId: `user-${batch}`, organizationId: "", access: undefined as never });

async function planOf({ engine, read }: Database, statement: Sql): Promise<string> {
  const rows = await read.all(
    engine === "sqlite" ? sql`explain query plan ${statement}` : sql`explain (costs off) ${statement}`,
  );
  return rows.map((row) => JSON.stringify(row)).join("\n");
}

eachEngine((open) => {
  test("each filter of the history is served by an index", async (t) => {
    const database = await open(t);
    await fill(database);
    for (const [name, search, index] of filters) {
      const statement = toStatement(instanceId, { ...everything, ...search });
      assert.ok(statement, name);
      const plan = await planOf(database, statement);
      assert.match(plan, index, `${name}:\n${plan}`);
      assert.doesNotMatch(plan, /SCAN events\b(?! USING)|Seq Scan on events/, `${name}:\n${plan}`);
    }
  });
});
