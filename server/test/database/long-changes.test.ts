import assert from "node:assert/strict";
import { test } from "node:test";
import { setImmediate } from "node:timers/promises";
import { askFor } from "../../src/base/budget/payer.ts";
import type { Fault } from "../../src/base/fault.ts";
import { sql } from "../../src/database/index.ts";
import { eachEngine } from "../support/databases/databases.ts";
import { testCall } from "../support/operations/call.ts";

eachEngine((open, engine) => {
  test("long changes of one organization wait for each other before they have a connection (A28)", async (t) => {
    // The first change waits for the others by this test's doing, which the watch over stalls may tell of.
    const database = await open(t, { warn: () => {} });
    const order: string[] = [];
    const goOn = Promise.withResolvers<void>();
    const isBegun = Promise.withResolvers<void>();
    const long = (organization: string, name: string) =>
      askFor(["instance-1", organization, name], () =>
        database.changeAtLength(testCall(), async (tx) => {
          await tx.all(sql`select 1 as "one"`);
          isBegun.resolve();
          if (name === "first") await goOn.promise;
          order.push(name);
        }),
      );
    const short = async (name: string) => {
      await database.change(testCall(), async (tx) => void (await tx.all(sql`select 1 as "one"`)));
      order.push(name);
    };
    const first = long("loud", "first");
    await isBegun.promise;
    const others = Array.from({ length: 30 }, (_, index) => long("loud", `loud ${index}`));
    await setImmediate();
    const beside = [long("quiet", "quiet"), short("short")];
    // SQLite has one writer.
    if (engine === "postgres") await Promise.all(beside);
    goOn.resolve();
    await Promise.all([first, ...beside, ...others]);
    assert.ok(order.indexOf("short") <= 4 && order.indexOf("quiet") <= 4, order.join(", "));
    assert.deepEqual(
      order.filter((name) => name.startsWith("loud")),
      others.map((_, index) => `loud ${index}`),
    );
  });

  test("more long changes of one user than may wait are refused, and those of others are not (A28)", async (t) => {
    const database = await open(t);
    const goOn = Promise.withResolvers<void>();
    const long = (user: string) =>
      askFor(["instance-1", "o", user], () =>
        database.changeAtLength(testCall(), async (tx) => {
          await tx.all(sql`select 1 as "one"`);
          await goOn.promise;
        }),
      );
    const waiting = Array.from({ length: 65 }, () => long("loud"));
    await assert.rejects(long("loud"), ({ id }: Fault) => id === "request.too_many");
    const other = long("quiet");
    goOn.resolve();
    await Promise.all([...waiting, other]);
  });
});
