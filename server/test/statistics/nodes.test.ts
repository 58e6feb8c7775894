import assert from "node:assert/strict";
import { test } from "node:test";
import { sql } from "../../src/database/index.ts";
import { countEvents } from "../../src/domain/statistics/index.ts";
import { signedIn } from "../login/support/sign-in.ts";
import { testCall } from "../support/operations/call.ts";
import { addPerson } from "../support/people/people.ts";
import { eachServer } from "../support/servers/each-server.ts";
import { eachTopology, race } from "../support/servers/nodes.ts";
import type { TestServer } from "../support/servers/server.ts";
import { countAll, totals } from "./support/statistics.ts";

/** Returns how many sign-ins and active people there were. */
async function told(server: TestServer): Promise<readonly (number | undefined)[]> {
  const all = await totals(server);
  return [all["sign_in_password"], all["active_people"]];
}

async function signInTwice(server: TestServer, username: string): Promise<void> {
  const person = await addPerson(server, { username });
  await signedIn(server, person);
  await signedIn(server, person);
}

eachTopology((start) => {
  test("events count once, however many nodes count them at the same moment", async (t) => {
    const cluster = await start(t);
    const { first, other } = cluster;
    const signal = new AbortController().signal;
    const countOften = () => race(10, cluster, ({ app }) => countEvents(app.domain, signal));
    for (const username of ["kim", "lea", "mia"]) {
      await signInTwice(other, username);
      await countOften();
    }
    await countAll(first);
    assert.deepEqual(await told(first), [6, 3]);
    await countOften();
    assert.deepEqual(await told(first), [6, 3]);
    assert.deepEqual(await told(other), [6, 3], "each node tells the same");
  });
});

eachServer((start) => {
  test("what happened before a restart or an upgrade is counted after it, and nothing twice", async (t) => {
    const first = await start(t);
    const { location, ownerToken } = first;
    await signInTwice(first, "kim");
    await countAll(first);
    await signInTwice(first, "lea");
    await first.app.close();
    const second = await start(t, { location, ownerToken });
    await countAll(second);
    assert.deepEqual(await told(second), [4, 2]);

    // As in a database from before there were counts.
    const { database } = second.app.domain;
    await database.touch(testCall({ instanceId: "" }), async (tx) => {
      for (const table of [sql`statistics`, sql`active_users`]) await tx.run(sql`delete from ${table}`);
      await tx.run(sql`delete from feed_cursors where follower = 'statistics'`);
    });
    await countAll(second);
    assert.deepEqual(await told(second), [4, 2]);
  });
});
