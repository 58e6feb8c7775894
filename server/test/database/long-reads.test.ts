import assert from "node:assert/strict";
import { test } from "node:test";
import { askFor, type Payer } from "../../src/base/budget/payer.ts";
import { Fault } from "../../src/base/fault.ts";
import { isShort } from "../../src/database/at-length.ts";
import { ofAnyNumber, type Sql, sql } from "../../src/database/index.ts";
import { LongReads } from "../../src/database/long-reads.ts";
import { eachEngine } from "../support/databases/databases.ts";
import { testCall } from "../support/operations/call.ts";

const countTo = (most: number) => sql`with recursive n(i) as (select 1 union all select i + 1 from n where i < ${most})
  select count(lower('a' || i)) as "count" from n`;

eachEngine((open) => {
  test("other reads are answered while a list is read that takes long (A27)", async (t) => {
    const { read } = await open(t);
    const atLength = read.atLength ?? assert.fail("lists are read like everything else");
    let isRead = false;
    const long = atLength.all<{ count: number }>(countTo(600_000)).finally(() => {
      isRead = true;
    });
    let answered = 0;
    while (!isRead && answered < 20) {
      await read.all(sql`select 1 as "one"`);
      // The answer of a thread arrives by the loop.
      await new Promise((resolve) => setImmediate(resolve));
      answered++;
    }
    assert.equal(answered, 20);
    assert.ok(!isRead);
    assert.deepEqual(await long, [{ count: 600_000 }]);
  });

  test("a list that takes too long ends with an error, and the next one is read (A27)", async (t) => {
    const { read } = await open(t, { longestRead: 400 });
    const { atLength = assert.fail() } = read;
    await assert.rejects(atLength.all(countTo(100_000_000)), (error: Fault) => {
      assert.ok(error instanceof Fault);
      assert.deepEqual([error.code, error.id], ["resource_exhausted", "list.too_slow"]);
      return true;
    });
    assert.deepEqual(await atLength.all(countTo(10)), [{ count: 10 }]);
  });

  test("a list that was given up gives its rows to no other caller", async (t) => {
    const { read } = await open(t, { longestRead: 300 });
    const { atLength = assert.fail() } = read;
    const rowOf = (owner: string) => atLength.all(sql`select ${owner} as "owner", (${countTo(20_000)}) as "count"`);
    // Connects; a list would have to be counted within the time, which a busy machine may not give it.
    await atLength.all(sql`select 1 as "one"`);
    for (let round = 0; round < 3; round++) {
      const first = rowOf("first").catch(({ id }: Fault) => id);
      const second = rowOf("second").catch(({ id }: Fault) => id);
      // The statement is read meanwhile, and its answer waits behind the timer that gives it up.
      await new Promise((resolve) => setImmediate(resolve));
      setImmediate(() => {
        const until = performance.now() + 500;
        while (performance.now() < until);
      });
      const rows = [{ owner: "second", count: 20_000 }];
      assert.deepEqual(await second.then((answer) => (answer === "list.too_slow" ? rows : answer)), rows);
      await first;
    }
  });

  test("a list shows what was changed before", async (t) => {
    const database = await open(t);
    const { atLength = assert.fail() } = database.read;
    for (let number = 1; number <= 5; number++) {
      await database.touch(testCall(), async (tx) => {
        tx.write(sql`insert into users (instance_id, user_id, organization_id, kind, state, username, username_key,
          preferred_login_name, login_name_key, display_name, sequence, created_at, changed_at, is_password_change_required, failed_password_checks)
          values (${tx.instanceId}, ${`${number}`}, 'o', 'machine', 'active', ${`u${number}`}, ${`u${number}`}, ${`u${number}`}, ${`u${number}`}, '', 1, 1, 1, 0, 0)`);
      });
      const users = sql`select count(*) as "count" from users where instance_id = ${testCall().instanceId}`;
      assert.deepEqual(await atLength.maybe(users), { count: number });
    }
  });
});

test("a caller that used much time waits for a turn, and others do not (A27)", async () => {
  let now = 0;
  const begun: unknown[] = [];
  const lists = new LongReads({
    engine: "sqlite",
    permits: 2,
    clock: () => now,
    read: async ({ values }) => {
      begun.push(values[0]);
      now += Number(values[1]);
      return { rows: [{ at: now }], milliseconds: Number(values[1]) };
    },
  });
  const ask = (asker: Payer, name: string, milliseconds: number) =>
    askFor(asker, () => lists.all(sql`select ${name}, ${milliseconds}`));
  const loud: Payer = ["i", "o", "loud"];
  const quiet: Payer = ["i", "o", "quiet"];
  // Within the share nothing waits, and what came at once is judged when its turn comes.
  const first = ["a", "b", "c", "d"].map((name) => ask(loud, name, 600));
  await first[2];
  const later = ask(loud, "e", 1);
  await ask(quiet, "f", 1);
  assert.deepEqual(begun, ["a", "b", "c", "f"]);
  await Promise.all([...first, later]);
  assert.deepEqual(begun, ["a", "b", "c", "f", "d", "e"]);
  // Time gives the share back; an organization that used up its own has a turn like one user.
  now += 30_000;
  await Promise.all(["g", "h"].map((name) => ask(loud, name, 400)));
  now += 30_000;
  for (const user of ["u", "v", "w"]) await ask(["i", "p", user], user, 900);
  const [other, beyond] = [ask(["i", "p", "x"], "x", 300), ask(["i", "p", "y"], "y", 1)];
  await other;
  await ask(quiet, "z", 1);
  assert.deepEqual(begun.slice(-2), ["x", "z"]);
  await beyond;
});

test("a caller with many lists that wait is refused, and another is not (A27)", async () => {
  const { promise, resolve } = Promise.withResolvers<void>();
  const read = async () => {
    await promise;
    return { rows: [], milliseconds: 1 };
  };
  const lists = new LongReads({ engine: "sqlite", permits: 1, clock: () => 0, read });
  const ask = (user: string) => askFor(["i", "o", user], () => lists.all(sql`select 1`));
  const waiting = Array.from({ length: 65 }, () => ask("loud"));
  await assert.rejects(ask("loud"), (error: Fault) => error.id === "request.too_many");
  const other = ask("quiet");
  resolve();
  await Promise.all([...waiting, other]);
});

test("organizations that use much do not keep others of their instance from lists (A27)", async () => {
  let now = 0;
  const { promise, resolve } = Promise.withResolvers<void>();
  const begun: unknown[] = [];
  const read = async ({ values }: Sql) => {
    begun.push(values[0]);
    if (values[0] === "held") await promise;
    const milliseconds = values[0] === "held" ? 9000 : 1;
    now += milliseconds;
    return { rows: [], milliseconds };
  };
  const lists = new LongReads({ engine: "sqlite", permits: 1, clock: () => now, read });
  const ask = (organization: string, user: string, name = "held") =>
    askFor(["i", organization, user], () => lists.all(sql`select ${name}`));
  const waiting = ["o", "p", "q"].flatMap((organization) =>
    ["u", "v"].flatMap((user) => Array.from({ length: 60 }, () => ask(organization, user).catch(() => undefined))),
  );
  const other = ask("other", "quiet", "quick");
  resolve();
  await other;
  assert.ok(begun.length < 20, `${begun.length} before`);
  void waiting;
});

test("a list whose rows are compared with any number of others is not short (A27)", () => {
  const plain = sql`users.username = ${"x"}`;
  const deep = sql`(${plain} or exists (select ${ofAnyNumber} 1 from metadata m where m.owner_id = users.user_id))`;
  assert.deepEqual([isShort(20, [plain]), isShort(20, [plain, deep]), isShort(2000, [plain])], [true, false, false]);
});
