import assert from "node:assert/strict";
import { test } from "node:test";
import { setTimeout as sleep } from "node:timers/promises";
import { askFor, currentAsker, currentPayer, payerOf, payFor } from "../../src/base/budget/payer.ts";
import { createSignal } from "../../src/base/queue/signal.ts";
import { type Database, sql } from "../../src/database/index.ts";
import { eachEngine } from "../support/databases/databases.ts";
import { testCall } from "../support/operations/call.ts";

const add = (database: Database, id: string): Promise<void> =>
  database.change(testCall(), async (tx) => {
    await tx.run(sql`insert into metadata
      (instance_id, owner_type, owner_id, metadata_key, metadata_value, created_at, changed_at)
      values ('instance-1', 'user', ${id}, 'name', 'value', 1, 1)`);
    tx.record({
      type: "thing.added",
      aggregateType: "thing",
      aggregateId: id,
      ownerId: "organization-1",
      sequence: 1,
    });
  });

eachEngine((open) => {
  test("listeners hear of an event before the writer is answered, and one that fails stops no other", async (t) => {
    const warnings: string[] = [];
    const database = await open(t, { warn: (message) => warnings.push(message) });
    warnings.length = 0;
    const heard: string[] = [];
    const deaf = database.onCommitted({ committed: (each) => void heard.push(`ended ${each.type}`), missed() {} });
    database.onCommitted({
      committed: () => {
        throw new Error("broken listener");
      },
      missed() {},
    });
    database.onCommitted({
      committed: (each) => void heard.push(`${each.instanceId} ${each.type} ${each.aggregateId} ${each.ownerId}`),
      missed() {},
    });
    deaf();
    await add(database, "a").then(() => heard.push("answered"));
    await add(database, "a").catch(() => heard.push("refused"));
    assert.deepEqual(heard, ["instance-1 thing.added a organization-1", "answered", "refused"]);
    assert.deepEqual(warnings, ["a listener of commits failed"]);
  });

  test("what a commit wakes is not on the account of the request that committed", async (t) => {
    const database = await open(t);
    const woken: (readonly string[])[] = [];
    const note = () => void setImmediate(() => woken.push(currentPayer(), currentAsker()));
    const signal = createSignal();
    t.after(signal.listen(note));
    database.onCommitted({ committed: note, missed: () => {} });
    const inside = await payFor(payerOf("instance-1", "192.0.2.1"), () =>
      askFor(["instance-1", "organization-1", "user-1"], async () => {
        await add(database, "a");
        signal.give();
        return currentPayer();
      }),
    );
    await sleep(1);
    const process = ["", "process"];
    assert.deepEqual(woken, [process, process, process, process]);
    assert.deepEqual(inside, payerOf("instance-1", "192.0.2.1"), "the request still pays for itself");
  });
});
