import assert from "node:assert/strict";
import { test } from "node:test";
import { StallWatch } from "../../src/database/stall-watch.ts";
import { UnitOfWork } from "../../src/database/unit-of-work.ts";
import { testCall } from "../support/operations/call.ts";

test("work that waits for what never comes is reported once and given up after ten seconds", async (t) => {
  t.mock.timers.enable({ apis: ["setInterval"] });
  const warnings: string[] = [];
  const watch = new StallWatch((message) => warnings.push(message));
  const unit = new UnitOfWork("sqlite", testCall({ requestId: "stuck" }), {
    execute: () => ({ rows: [], changed: 0 }),
    write: () => 0,
  });
  const work = watch.during(unit, () => unit.perform("touch", () => new Promise(() => {})));
  const refused = assert.rejects(work, /request stuck waited too long/);
  t.mock.timers.tick(9_900);
  assert.equal(warnings.length, 1);
  t.mock.timers.tick(200);
  await refused;
  assert.throws(
    () => unit.record({ type: "x", aggregateType: "x", aggregateId: "x", ownerId: "x", sequence: 1 }),
    /ended/,
  );
});

test("work that waits for its own statement is left alone", async (t) => {
  t.mock.timers.enable({ apis: ["setInterval"] });
  const watch = new StallWatch((message) => assert.fail(message));
  let answer = (): void => {};
  const unit = new UnitOfWork("postgres", testCall(), {
    execute: async () => {
      await new Promise<void>((resolve) => {
        answer = resolve;
      });
      return { rows: [], changed: 1 };
    },
    write: () => 1,
  });
  const work = watch.during(unit, () => unit.perform("touch", (tx) => tx.run({} as never)));
  t.mock.timers.tick(20_000);
  answer();
  assert.equal(await work, 1);
});
