import assert from "node:assert/strict";
import { test } from "node:test";
import pg from "pg";
import { openDatabase, sql } from "../../src/database/index.ts";
import { onPostgres } from "../support/databases/databases.ts";
import { earlierMigrations, makeEmptyLocation } from "../support/databases/former-database.ts";
import { startOidcServer } from "../support/oidc/oidc.ts";
import { testCall } from "../support/operations/call.ts";
import { addPerson } from "../support/people/people.ts";

onPostgres(() => {
  test("counts of an earlier version keep their sums when they get a key", async (t) => {
    const location = await makeEmptyLocation(t, "postgres");
    const before = await openDatabase({
      warn: () => {},
      ...location,
      migrationsDirectory: earlierMigrations(t, "0143"),
    });
    await before.touch(testCall(), async (tx) => {
      await tx.run(sql`insert into user_counts (instance_id, organization_id, kind, state, amount)
        values ('i', 'o', 'human', 'active', 5), ('i', 'o', 'human', 'active', -2), ('i', '', 'human', 'active', 3),
          ('j', 'o', 'human', 'active', 1), ('i', 'o', 'machine', 'active', 1), ('i', 'o', 'machine', 'active', -1)`);
      await tx.run(sql`insert into authorization_counts (instance_id, organization_id, project_id, role_key, assignee, amount)
        values ('i', 'o', 'p', 'r', 'user', 4), ('i', 'o', 'p', 'r', 'user', -1), ('i', 'o', 'p', 'r', 'group', 1)`);
    });
    await before.close();
    const after = await openDatabase({ warn: () => {}, ...location });
    t.after(() => after.close());
    const users =
      await after.read.all<object>(sql`select instance_id, organization_id, kind, state, amount from user_counts
      order by instance_id, organization_id, kind`);
    assert.deepEqual(
      users.map((row) => Object.values(row)),
      [
        ["i", "", "human", "active", 3],
        ["i", "o", "human", "active", 3],
        ["j", "o", "human", "active", 1],
      ],
    );
    const roles =
      await after.read.all<object>(sql`select instance_id, organization_id, project_id, role_key, assignee, amount
      from authorization_counts order by assignee`);
    assert.deepEqual(
      roles.map((row) => Object.values(row)),
      [
        ["i", "o", "p", "r", "group", 1],
        ["i", "o", "p", "r", "user", 3],
      ],
    );
  });

  test("a transaction that counts users waits for no other, and has one row of each count", async (t) => {
    const server = await startOidcServer(t, { engine: "postgres" });
    const [first, second] = [
      await addPerson(server, { username: "first" }),
      await addPerson(server, { username: "second" }),
    ];
    const [one, other] = await Promise.all(
      [1, 2].map(async () => {
        const client = new pg.Client({ connectionString: server.location.url ?? "" });
        await client.connect();
        await client.query("set lock_timeout = '2s'");
        await client.query("begin");
        return client;
      }),
    );
    assert.ok(one && other);
    const setState = (client: pg.Client, userId: string, state: string) =>
      client.query("update users set state = $2 where user_id = $1", [userId, state]);
    const countOf = async (client: pg.Client, state: string): Promise<number> => {
      const { rows } = await client.query(
        "select coalesce(sum(amount), 0)::int as count from user_counts where organization_id <> '' and state = $1",
        [state],
      );
      return rows[0].count;
    };
    await setState(one, first.userId, "inactive");
    await setState(other, second.userId, "inactive");
    assert.deepEqual([await countOf(one, "inactive"), await countOf(other, "inactive")], [1, 1]);
    for (const state of ["active", "locked", "inactive"]) await setState(one, first.userId, state);
    const { rows } = await one.query(`select organization_id from user_counts
      where transaction_id = pg_current_xact_id() and state = 'inactive' and amount = 1`);
    assert.equal(rows.length, 2, "of the organization and of all");
    for (const client of [one, other]) await client.query("commit");
    assert.equal(await countOf(one, "inactive"), 2);
    assert.equal(await countOf(one, "locked"), 0);
    for (const client of [one, other]) await client.end();
  });
});
