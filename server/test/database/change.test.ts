import assert from "node:assert/strict";
import { test } from "node:test";
import { setTimeout as sleep } from "node:timers/promises";
import { type Database, DatabaseUnavailable, sql, type Tx, UniqueViolation } from "../../src/database/index.ts";
import { eachEngine } from "../support/databases/databases.ts";
import { testCall } from "../support/operations/call.ts";

const call = testCall();
const event = (aggregateId: string, sequence = 1) => ({
  type: "thing.added",
  aggregateType: "thing",
  aggregateId,
  ownerId: "organization-1",
  sequence,
});

const insert = (id: string) => sql`insert into metadata
  (instance_id, owner_type, owner_id, metadata_key, metadata_value, created_at, changed_at)
  values ('instance-1', 'user', ${id}, 'name', 'value', 1, 1)`;

const ids = async (database: Pick<Database, "read">): Promise<string[]> =>
  (await database.read.all<{ id: string }>(sql`select owner_id as "id" from metadata order by owner_id`)).map(
    ({ id }) => id,
  );

const eventIds = async (database: Database): Promise<string[]> =>
  (await database.read.all<{ id: string }>(sql`select aggregate_id as "id" from events order by position`)).map(
    ({ id }) => id,
  );

const add = (database: Database, id: string): Promise<void> =>
  database.change(call, async (tx) => {
    await tx.run(insert(id));
    tx.record(event(id));
  });

eachEngine((open, engine) => {
  test("a change writes its rows and its events", async (t) => {
    const database = await open(t);
    const caller = { userId: "user-1", organizationId: "organization-1", clientId: "client-1", access: {} as never };
    const result = await database.change(testCall({ requestId: "request-7", caller }), async (tx) => {
      assert.equal(await tx.run(insert("a")), 1);
      tx.record({ ...event("a", 1), payload: { name: "ä" } });
      return "done";
    });
    assert.equal(result, "done");
    assert.deepEqual(await ids(database), ["a"]);
    const events = await database.read.all(sql`select instance_id as "instanceId", aggregate_id as "id", sequence, type,
        owner_id as "ownerId", payload, editor_user_id as "editor", editor_client_id as "client",
        request_id as "requestId", created_at as "createdAt" from events`);
    const wanted = {
      instanceId: "instance-1",
      id: "a",
      sequence: 1,
      type: "thing.added",
      ownerId: "organization-1",
      payload: '{"name":"ä"}',
      editor: "user-1",
      client: "client-1",
      requestId: "request-7",
      createdAt: call.now,
    };
    assert.deepEqual(events, [wanted]);
  });

  test("a change that throws leaves nothing", async (t) => {
    const database = await open(t);
    const reason = new Error("no");
    const change = database.change(call, async (tx) => {
      await tx.run(insert("a"));
      tx.record(event("a"));
      throw reason;
    });
    await assert.rejects(change, reason);
    assert.deepEqual(await ids(database), []);
    assert.deepEqual(await eventIds(database), []);
  });

  test("an event that cannot be written takes its rows with it", async (t) => {
    const database = await open(t);
    await add(database, "a");
    const sameEvent = database.change(call, async (tx) => {
      await tx.run(insert("b"));
      tx.record(event("a"));
    });
    await assert.rejects(sameEvent, (error: unknown) => {
      assert.ok(error instanceof UniqueViolation);
      assert.equal(error.table, "events");
      assert.deepEqual(error.columns, ["instance_id", "aggregate_type", "aggregate_id", "sequence"]);
      return true;
    });
    assert.deepEqual(await ids(database), ["a"]);
  });

  test("a change that wrote rows and recorded no event is refused", async (t) => {
    const database = await open(t);
    const silent = database.change(call, (tx) => tx.run(insert("a")));
    await assert.rejects(silent, /recorded no event/);
    const returning = database.change(call, (tx) => tx.all(sql`${insert("a")} returning owner_id as "id"`));
    await assert.rejects(returning, /recorded no event/);
    assert.deepEqual(await ids(database), []);
  });

  test("a change that wrote nothing needs no event, and touch never does", async (t) => {
    const database = await open(t);
    const changed = await database.change(call, (tx) => tx.run(sql`update metadata set metadata_value = 'x'`));
    assert.equal(changed, 0);
    assert.equal(await database.change(call, async (tx) => (await tx.all(sql`select 1 as "one"`)).length), 1);
    await database.touch(call, (tx) => tx.run(insert("a")));
    assert.deepEqual(await ids(database), ["a"]);
  });

  test("an open unit of work is invisible to others, and reads itself", async (t) => {
    const database = await open(t);
    await database.change(call, async (tx) => {
      await tx.run(insert("a"));
      assert.deepEqual(await ids(database), []);
      assert.deepEqual(await tx.all(sql`select owner_id as "id" from metadata`), [{ id: "a" }]);
      tx.record(event("a"));
    });
    assert.deepEqual(await ids(database), ["a"]);
  });

  test("among many concurrent changes, one that fails rolls back only itself", async (t) => {
    const database = await open(t);
    await add(database, "taken");
    const names = Array.from({ length: 40 }, (_, index) => `n${index + 10}`);
    const results = await Promise.allSettled(
      names.map((name, index) =>
        database.change(call, async (tx) => {
          await tx.run(insert(name));
          tx.record(event(name));
          if (index % 4 === 1) throw new Error(`refused ${name}`);
          if (index % 4 === 2) await tx.run(insert("taken"));
        }),
      ),
    );
    const good = names.filter((_, index) => index % 4 === 0 || index % 4 === 3);
    assert.deepEqual(
      names.filter((_, index) => results[index]?.status === "fulfilled"),
      good,
    );
    const violations = results.filter((each) => each.status === "rejected" && each.reason instanceof UniqueViolation);
    assert.equal(violations.length, 10);
    assert.deepEqual(await ids(database), [...good, "taken"]);
    assert.deepEqual((await eventIds(database)).toSorted(), [...good, "taken"]);
  });

  test("32 writers of one row lose no update", async (t) => {
    const database = await open(t);
    await database.touch(call, (tx) =>
      tx.run(sql`insert into settings (instance_id, organization_id, kind, document, sequence, created_at, changed_at)
        values ('instance-1', '', 'count', '', 0, 1, 1)`),
    );
    const increment = async (tx: Tx): Promise<number> => {
      const row = await tx.maybe<{ sequence: number }>(sql`update settings set sequence = sequence + 1
        where instance_id = ${tx.instanceId} and kind = 'count' returning sequence`);
      tx.record(event("count", row?.sequence ?? -1));
      return row?.sequence ?? -1;
    };
    const writer = async (): Promise<number[]> => {
      const seen: number[] = [];
      for (let round = 0; round < 5; round++) seen.push(await database.change(call, increment));
      return seen;
    };
    const seen = (await Promise.all(Array.from({ length: 32 }, writer))).flat();
    const all = Array.from({ length: 160 }, (_, index) => index + 1);
    assert.deepEqual(
      seen.toSorted((a, b) => a - b),
      all,
    );
    const events = await database.read.all<{ sequence: number }>(sql`select sequence from events order by sequence`);
    assert.deepEqual(
      events.map(({ sequence }) => sequence),
      all,
    );
  });

  test("after a failed statement the unit of work is lost, even when the work caught the error", async (t) => {
    const database = await open(t);
    await add(database, "a");
    let later: unknown;
    const change = database.change(call, async (tx) => {
      await tx.run(insert("b"));
      tx.record(event("b"));
      await tx.run(insert("a")).catch(() => {});
      await tx.run(insert("c")).catch((error: unknown) => {
        later = error;
      });
    });
    await assert.rejects(change, UniqueViolation);
    assert.match(String(later), /failed before/);
    assert.deepEqual(await ids(database), ["a"]);
  });

  test("a unique violation names table and columns, including those of an index", async (t) => {
    const database = await open(t);
    const organization = (id: string, name: string) =>
      database.touch(call, (tx) =>
        tx.run(sql`insert into organizations
          (instance_id, organization_id, name, name_key, state, primary_domain, sequence, created_at, changed_at)
          values ('instance-1', ${id}, ${name}, ${name}, 'active', 'a.localhost', 1, 1, 1)`),
      );
    await organization("1", "a");
    const refusal = async (id: string, name: string): Promise<{ table: string; columns: readonly string[] }> => {
      const error = await organization(id, name).catch((reason: unknown) => reason);
      assert.ok(error instanceof UniqueViolation);
      return { table: error.table, columns: error.columns };
    };
    assert.deepEqual(await refusal("1", "b"), { table: "organizations", columns: ["instance_id", "organization_id"] });
    assert.deepEqual(await refusal("2", "a"), { table: "organizations", columns: ["instance_id", "name_key"] });
  });

  test("a write that is not awaited is written before what follows, with the rest or not at all", async (t) => {
    const database = await open(t);
    const seen = await database.change(call, async (tx) => {
      tx.write(insert("a"));
      tx.write(sql`update metadata set metadata_value = metadata_value || '!' where owner_id = ${"a"}`);
      const row = await tx.maybe<{ value: string }>(sql`select metadata_value as "value" from metadata`);
      tx.write(insert("b"));
      tx.record(event("a"));
      return row?.value;
    });
    assert.equal(seen, "value!");
    assert.deepEqual(await ids(database), ["a", "b"]);
    const thrown = database.change(call, async (tx) => {
      tx.write(insert("c"));
      await tx.run(insert("d"));
      tx.write(insert("e"));
      throw new Error("no");
    });
    await assert.rejects(thrown, /no/);
    assert.deepEqual(await ids(database), ["a", "b"]);
    await database.touch(call, async (tx) => tx.write(insert("f")));
    assert.deepEqual(await ids(database), ["a", "b", "f"]);
  });

  test("a write that is not awaited and refused fails the unit of work, wherever that shows", async (t) => {
    const database = await open(t);
    await add(database, "a");
    const works: Readonly<Record<string, (tx: Tx) => Promise<unknown>>> = {
      "at the end": async (tx) => tx.write(insert("a")),
      "before another": async (tx) => {
        tx.write(insert("b"));
        tx.write(insert("a"));
        await tx.run(insert("c"));
      },
      "with the error caught": async (tx) => {
        try {
          tx.write(insert("a"));
          await tx.run(insert("c"));
        } catch {}
      },
    };
    for (const [name, work] of Object.entries(works)) {
      const change = database.change(call, async (tx) => {
        await work(tx);
        tx.record(event("z"));
      });
      await assert.rejects(change, UniqueViolation, name);
      assert.deepEqual([await ids(database), await eventIds(database)], [["a"], ["a"]], name);
    }
    const silent = database.change(call, async (tx) => tx.write(insert("d")));
    await assert.rejects(silent, /recorded no event/);
    assert.deepEqual(await ids(database), ["a"]);
  });

  test("nothing can be done in a unit of work that has ended", async (t) => {
    const database = await open(t);
    let kept: Tx | undefined;
    await database.change(call, async (tx) => {
      kept = tx;
    });
    const tx = kept as Tx;
    assert.throws(() => tx.write(insert("late")), /had ended/);
    assert.throws(() => tx.record(event("a")), /after its unit of work had ended/);
    await assert.rejects(tx.run(insert("a")), /after its unit of work had ended/);
    assert.deepEqual(await ids(database), []);
  });

  test("work that waits for something else is reported with its request", async (t) => {
    const warnings: unknown[] = [];
    const database = await open(t, { warn: (message, details) => warnings.push([message, details]) });
    warnings.length = 0;
    await database.touch(testCall({ requestId: "request-slow" }), async (tx) => {
      await tx.run(insert("a"));
      // However late the ticks of the watch come on a busy machine; in the end it would abort the work.
      while (warnings.length === 0) await sleep(10);
    });
    const message = "a unit of work is waiting for something other than its own statements";
    assert.deepEqual(warnings, [[message, { requestId: "request-slow" }]]);
    assert.deepEqual(await ids(database), ["a"]);
  });

  test("many events of one change keep their order", async (t) => {
    const database = await open(t);
    const names = Array.from({ length: 250 }, (_, index) => `e${index}`);
    await database.change(call, async (tx) => {
      for (const name of names) tx.record(event(name));
    });
    assert.deepEqual(await eventIds(database), names);
  });

  test("numbers, booleans, nulls and texts are read back as they were written", async (t) => {
    const database = await open(t);
    const document = 'ä😀"\\';
    const row = await database.touch(call, (tx) =>
      tx.maybe(sql`insert into token_families (instance_id, family_id, client_id, scope, audience, auth_time, nonce,
          authentication_methods, created_at, expires_at, sequence)
        values ('instance-1', 'f', ${document}, '', '', ${undefined}, ${null}, '', ${2 ** 53 - 1}, ${true}, ${false})
        returning client_id as "client", auth_time as "authTime", nonce, created_at as "max", expires_at as "yes", sequence as "no"`),
    );
    const wanted = { client: document, authTime: null, nonce: null, max: 2 ** 53 - 1, yes: 1, no: 0 };
    assert.deepEqual(row, wanted);
    const counted = await database.read.maybe(
      sql`select count(*) as "count", sum(sequence) as "sum", 1 = 1 as "holds" from token_families`,
    );
    assert.deepEqual(counted, { count: 1, sum: 0, holds: 1 });
    const nul = database.touch(call, async (tx) => tx.run(insert("a\0b")));
    await assert.rejects(nul, { name: "Fault", code: "invalid_argument" });
  });

  test("an integer column takes no text, and a check holds", async (t) => {
    const database = await open(t);
    const wrong = (createdAt: string | number, ownerType: string) =>
      database.touch(call, (tx) =>
        tx.run(sql`insert into metadata
          (instance_id, owner_type, owner_id, metadata_key, metadata_value, created_at, changed_at)
          values ('instance-1', ${ownerType}, 'a', 'name', 'value', ${createdAt}, 1)`),
      );
    await assert.rejects(wrong("soon", "user"));
    await assert.rejects(wrong(1, "planet"));
    await wrong(1, "user");
    assert.deepEqual(await ids(database), ["a"]);
  });

  test("a read that is a mistake fails alone among others at once", async (t) => {
    const database = await open(t);
    await add(database, "a");
    const results = await Promise.allSettled(
      Array.from({ length: 60 }, (_, index) =>
        index % 3 === 0
          ? database.read.all(sql`select nothing from nowhere`)
          : index % 3 === 1
            ? database.read.all(sql`select 1 / ${index} as "x", owner_id as "id" from metadata`)
            : ids(database),
      ),
    );
    results.forEach((result, index) => {
      assert.equal(result.status, index % 3 === 0 ? "rejected" : "fulfilled");
      if (result.status === "rejected") assert.ok(!(result.reason instanceof DatabaseUnavailable));
    });
    await assert.rejects(database.read.all(insert("b")), engine === "sqlite" ? /readonly/ : /read-only/);
    assert.deepEqual(await ids(database), ["a"]);
  });

  test("a closed database refuses, after it has answered what was asked before", async (t) => {
    const database = await open(t);
    const asked = Promise.all(["a", "b", "c"].map((id) => add(database, id)));
    const closed = database.close();
    await asked;
    await closed;
    await assert.rejects(add(database, "d"), DatabaseUnavailable);
    await assert.rejects(database.read.all(sql`select 1`), DatabaseUnavailable);
  });
});
