import assert from "node:assert/strict";
import { test } from "node:test";
import { setTimeout as sleep } from "node:timers/promises";
import {
  type Database,
  DatabaseUnavailable,
  inTurn,
  rowLock,
  type Sql,
  sql,
  type Tx,
} from "../../src/database/index.ts";
import { onPostgres } from "../support/databases/databases.ts";
import { testCall } from "../support/operations/call.ts";

const call = testCall();
const count = 12;

const rows = (tx: Tx, condition: Sql): Promise<unknown[]> =>
  tx.all(sql`select owner_id as "id" from metadata where instance_id = ${tx.instanceId} and ${condition}
    order by owner_id ${rowLock(tx, "alone")}`);
const take = (tx: Tx, hold: "share" | "alone"): Promise<unknown[]> =>
  tx.all(sql`select owner_id as "id" from metadata where instance_id = ${tx.instanceId} and owner_id = 'end'
    ${inTurn(tx, hold, "consent", "end")} ${rowLock(tx, hold)}`);

/** What the end does with the rows of the others when it has the row that they share. */
const ends: Readonly<Record<string, (tx: Tx) => Promise<unknown>>> = {
  locks: (tx) => rows(tx, sql`owner_id <> 'end'`),
  deletes: (tx) => tx.run(sql`delete from metadata where instance_id = ${tx.instanceId} and owner_id <> 'end'`),
};

// The order is wrong here on purpose: units of a stream have their row before they share what the end has first. The
// end would lose every time, because it waits for all rows, one after another, and is the last to wait in each circle.
onPostgres((open) => {
  for (const [name, reach] of Object.entries(ends)) {
    test(`an end that ${name} rows wins when it is repeated after a deadlock with a stream of others`, async (t) => {
      const database = await open(t);
      await fill(database);
      const stop = new AbortController();
      const stream = Array.from({ length: count }, async (_, index) => {
        while (!stop.signal.aborted) await hold(database, String(index)).catch(expectGivenUp);
      });
      await sleep(200);
      let attempts = 0;
      const end = database.touch(call, async (tx) => {
        attempts++;
        await take(tx, "alone");
        await reach(tx);
      });
      const began = performance.now();
      await end.finally(() => stop.abort());
      t.diagnostic(`${attempts} attempts, ${Math.round(performance.now() - began)} ms`);
      await Promise.all(stream);
      assert.ok(attempts <= 3, `${attempts} attempts`);
    });
  }
});

const hold = (database: Database, id: string): Promise<void> =>
  database.touch(call, async (tx) => {
    await rows(tx, sql`owner_id = ${id}`);
    await take(tx, "share");
    await sleep(10);
  });

// The end keeps the shared row while it waits for the others, for longer than any wait may last on a busy machine. Then
// units of the stream are given up: that is the limit on waits, and not what is tested here.
function expectGivenUp(error: unknown): void {
  if (!(error instanceof DatabaseUnavailable)) throw error;
}

async function fill(database: Database): Promise<void> {
  await database.touch(call, async (tx) => {
    for (const id of ["end", ...new Array(count).keys()]) {
      await tx.run(sql`insert into metadata
        (instance_id, owner_type, owner_id, metadata_key, metadata_value, created_at, changed_at)
        values (${tx.instanceId}, 'user', ${String(id)}, 'name', '', 1, 1)`);
    }
  });
}
