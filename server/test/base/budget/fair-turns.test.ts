import assert from "node:assert/strict";
import { test } from "node:test";
import { createFairTurns } from "../../../src/base/budget/fair-turns.ts";
import { QueueFull } from "../../../src/base/budget/semaphore.ts";

const tick = () => new Promise<void>((resolve) => setImmediate(resolve));
const options = { permits: 2, shares: [2], queueLimits: [100], queueLimit: 100 };

/** Work that continues until it is released, and the order in which it began. */
function manual() {
  const begun: string[] = [];
  const ends: (() => void)[] = [];
  return {
    begun,
    end: async () => {
      ends.shift()?.();
      await tick();
    },
    work: (name: string) => () =>
      new Promise<void>((resolve) => {
        begun.push(name);
        ends.push(resolve);
      }),
  };
}

test("the next turn goes to a newcomer, however many of another payer came before (A28)", async () => {
  const turns = createFairTurns({ ...options, permits: 1 });
  const { begun, end, work } = manual();
  const runs = ["a1", "a2", "a3", "a4"].map((name) => turns.run(["one", "flood"], work(name)));
  runs.push(turns.run(["one", "quiet"], work("b1")), turns.run(["two", "quiet"], work("c1")));
  await tick();
  for (let count = 0; count < 6; count++) await end();
  await Promise.all(runs);
  assert.deepEqual(begun, ["a1", "c1", "b1", "a2", "a3", "a4"]);
  assert.deepEqual([turns.running, turns.waiting], [0, 0]);
});

test("a payer never has more turns than its share, and others use what it may not", async () => {
  const turns = createFairTurns({ ...options, permits: 3, shares: [3, 1] });
  const { begun, end, work } = manual();
  const runs = ["a1", "a2"].map((name) => turns.run(["one", "a"], work(name)));
  runs.push(turns.run(["one", "b"], work("b1")));
  await tick();
  assert.deepEqual(begun, ["a1", "b1"]);
  for (let count = 0; count < 3; count++) await end();
  await Promise.all(runs);
});

test("a full queue refuses only its own payer, and a caller that stops waiting leaves it", async () => {
  const turns = createFairTurns({ ...options, permits: 1, queueLimits: [2, 1] });
  const { end, work } = manual();
  const stop = new AbortController();
  const first = turns.run(["one", "a"], work("a1"));
  const second = turns.run(["one", "a"], work("a2"), stop.signal);
  await assert.rejects(turns.run(["one", "a"], work("a3")), QueueFull);
  const other = turns.run(["one", "b"], work("b1"));
  await assert.rejects(turns.run(["one", "c"], work("c1")), QueueFull);
  stop.abort(new Error("gone"));
  await assert.rejects(second, /gone/);
  const third = turns.run(["one", "c"], work("c2"));
  for (let count = 0; count < 3; count++) await end();
  await Promise.all([first, other, third]);
  assert.deepEqual([turns.running, turns.waiting], [0, 0]);
});

test("a turn that is taken is there at once when one is free, and refused when it does not come", async () => {
  const turns = createFairTurns({ ...options, permits: 1 });
  const end = turns.take(["one", "a"], 1_000);
  assert.ok(typeof end === "function");
  await assert.rejects(async () => turns.take(["one", "b"], 1), QueueFull);
  const next = turns.take(["one", "b"], 60_000);
  assert.ok(next instanceof Promise);
  assert.deepEqual([turns.running, turns.waiting], [1, 1]);
  end();
  (await next)();
  assert.deepEqual([turns.running, turns.waiting], [0, 0]);
});
