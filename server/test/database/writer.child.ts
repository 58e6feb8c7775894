import process from "node:process";
import { openDatabase, sql } from "../../src/database/index.ts";
import { testCall } from "../support/operations/call.ts";

// Owns a data directory and numbers changes without end, four at once; says each number when it was acknowledged. Its
// parent kills it.
const database = await openDatabase({
  directory: process.argv[2],
  warn: (message) => process.stderr.write(`${message}\n`),
});
await database.touch(testCall(), (tx) =>
  tx.run(sql`insert into settings (instance_id, organization_id, kind, document, sequence, created_at, changed_at)
    values ('instance-1', '', 'count', '', -1, 1, 1) on conflict do nothing`),
);
process.stdout.write("begins\n");

async function writeOne(): Promise<number> {
  return database.change(testCall(), async (tx) => {
    const counted = await tx.maybe<{ n: number }>(sql`update settings set sequence = sequence + 1
      where instance_id = 'instance-1' and kind = 'count' returning sequence as "n"`);
    const n = counted?.n ?? Number.NaN;
    await tx.run(sql`insert into settings (instance_id, organization_id, kind, document, sequence, created_at, changed_at)
      values ('instance-1', ${`${n}`}, 'numbered', ${"x".repeat(300)}, ${n}, 1, 1)`);
    tx.record({ type: "settings.set", aggregateType: "settings", aggregateId: "numbered", ownerId: "o", sequence: n });
    return n;
  });
}

async function write(): Promise<never> {
  for (;;) process.stdout.write(`${await writeOne()}\n`);
}

await Promise.all([write(), write(), write(), write()]);
