import assert from "node:assert/strict";
import { rmSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import process from "node:process";
import { DatabaseUnavailable, openDatabase, sql } from "../../src/database/index.ts";
import { testCall } from "../support/operations/call.ts";

// Runs on a file system of a few megabytes: fills it, and shows that reads continue, that nothing half is left, and
// that writing works again when there is room.
const mountPoint = process.argv[2] ?? "";
const reserve = join(mountPoint, "reserve");
writeFileSync(reserve, Buffer.alloc(1_000_000));
const database = await openDatabase({ directory: join(mountPoint, "data"), warn: (message) => assert.fail(message) });

const add = (n: number): Promise<number> =>
  database.change(testCall(), async (tx) => {
    await tx.run(sql`insert into settings (instance_id, organization_id, kind, document, sequence, created_at, changed_at)
      values ('instance-1', ${`${n}`}, 'x', ${"x".repeat(5000)}, ${n}, 1, 1)`);
    tx.record({ type: "settings.set", aggregateType: "settings", aggregateId: "x", ownerId: "o", sequence: n });
    return n;
  });
const numbers = async (table: "rows" | "events"): Promise<number[]> => {
  const statement = table === "rows" ? sql`select sequence from settings` : sql`select sequence from events`;
  return (await database.read.all<{ sequence: number }>(sql`${statement} order by sequence`)).map(
    (row) => row.sequence,
  );
};

const acknowledged: number[] = [];
let failure: unknown;
for (let n = 0; failure === undefined && n < 5000; n += 8) {
  const batch = await Promise.allSettled([0, 1, 2, 3, 4, 5, 6, 7].map((k) => add(n + k)));
  for (const each of batch) {
    if (each.status === "fulfilled") acknowledged.push(each.value);
    else failure = each.reason;
  }
}
assert.ok(failure instanceof DatabaseUnavailable, String(failure));
assert.ok(acknowledged.length > 20);
assert.deepEqual(await numbers("rows"), acknowledged);
assert.deepEqual(await numbers("events"), acknowledged);

rmSync(reserve);
acknowledged.push(await add(9999));
assert.deepEqual(await numbers("rows"), acknowledged);
assert.deepEqual(await numbers("events"), acknowledged);
await database.close();

const again = await openDatabase({ directory: join(mountPoint, "data"), warn: (message) => assert.fail(message) });
assert.equal((await again.read.all(sql`select 1 from events`)).length, acknowledged.length);
await again.close();
