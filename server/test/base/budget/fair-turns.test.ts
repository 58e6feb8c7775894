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

test("a full queue refuses the newest task of the payer that has most in it, for one that has fewer", async () => {
  const turns = createFairTurns({ permits: 1, shares: [1], queueLimits: [4, 3, 2], queueLimit: 5 });
  const { begun, end, work } = manual();
  const running = turns.run(["one", "evil", "s0"], work("running"));
  const refused: string[] = [];
  const run = (name: string, ...payer: string[]) =>
    turns.run(payer, work(name)).catch((error: unknown) => {
      assert.ok(error instanceof QueueFull);
      refused.push(name);
    });
  const runs = ["e1", "e2", "e3", "e4"].map((name, index) => run(name, "one", "evil", `s${index}`));
  await tick();
  assert.deepEqual(refused, ["e4"], "the organization is full, and its sources have as many");
  runs.push(run("b1", "one", "bank", "s9"), run("b2", "one", "bank", "s8"));
  await tick();
  assert.deepEqual(refused, ["e4", "e3"], "the instance is full");
  runs.push(run("b3", "one", "bank", "s9"));
  await tick();
  assert.deepEqual(refused, ["e4", "e3", "b3"], "both have as many");
  runs.push(run("c1", "two", "c", "s7"), run("d1", "three", "d", "s7"));
  await tick();
  assert.deepEqual(refused, ["e4", "e3", "b3", "b2"], "all queues together are full");
  for (let count = 0; count < 6; count++) await end();
  await Promise.all([running, ...runs]);
  assert.deepEqual(begun, ["running", "c1", "d1", "b1", "e2", "e1"]);
  assert.deepEqual([turns.running, turns.waiting], [0, 0]);
});

interface Task {
  readonly payer: readonly string[];
}

const under = (tasks: readonly Task[], payer: readonly string[], depth: number): Task[] =>
  tasks.filter(({ payer: other }) => payer.slice(0, depth).every((name, level) => other[level] === name));

/** Checks that one of the tasks may be refused for a newcomer where the queue of the newcomer at this depth is full. */
function mayBeRefused(
  tasks: readonly Task[],
  { refused, newcomer, depth }: { readonly refused: Task; readonly newcomer: Task; readonly depth: number },
): void {
  for (let level = depth + 1; level <= 3; level++) {
    const own = under(tasks, refused.payer, level).length;
    for (const { payer } of under(tasks, refused.payer, level - 1)) {
      const has = under(tasks, payer, level).length;
      const told = `${refused.payer.join("/")} was refused with ${own}, and ${payer.join("/")} had ${has}`;
      assert.ok(has <= own, told);
    }
  }
  const parting = [1, 2, 3].find((level) => refused.payer[level - 1] !== newcomer.payer[level - 1]);
  if (parting === undefined) return;
  const [lost = 0, got = 0] = [refused, newcomer].map(({ payer }) => under(tasks, payer, parting).length);
  assert.ok(lost > got, "a place is never given to one that would have as many");
}

test("none is refused while another payer of the same level has more in the full queue (model)", async () => {
  const queueLimits = [9, 6, 3];
  const queueLimit = 12;
  const turns = createFairTurns({ permits: 2, shares: [2, 1], queueLimits, queueLimit });
  let seed = 72;
  // Park and Miller's, so that each run is the same.
  const random = (): number => {
    seed = (seed * 48_271) % 2_147_483_647;
    return seed / 2_147_483_647;
  };
  // The first of each level come more often.
  const oneOf = (count: number): string => String(Math.floor(random() ** 2 * count));
  const ends: (() => void)[] = [];
  let waiting: Task[] = [];
  let refused: Task[] = [];
  const seen = { newcomers: 0, others: 0 };
  for (let step = 0; step < 2_000; step++) {
    if (random() < 0.3) {
      ends.splice(Math.floor(random() * ends.length), 1)[0]?.();
      await tick();
      continue;
    }
    const task: Task = { payer: [oneOf(3), oneOf(4), oneOf(5)] };
    const isFull = (depth: number) =>
      under(waiting, task.payer, depth).length >= (queueLimits[depth - 1] ?? queueLimit);
    const depth = [3, 2, 1, 0].find(isFull);
    const before = [...waiting, task];
    waiting.push(task);
    refused = [];
    const leave = (): void => {
      waiting = waiting.filter((other) => other !== task);
    };
    const work = (): Promise<void> => {
      leave();
      return new Promise((resolve) => ends.push(resolve));
    };
    void turns.run(task.payer, work).catch((error: unknown) => {
      assert.ok(error instanceof QueueFull);
      leave();
      refused.push(task);
    });
    await tick();
    assert.equal(turns.waiting, waiting.length);
    const [one, ...more]: readonly Task[] = refused;
    assert.equal(more.length, 0);
    if (one === undefined) continue;
    assert.ok(depth !== undefined, "only where a queue is full");
    seen[one === task ? "newcomers" : "others"]++;
    mayBeRefused(before, { refused: one, newcomer: task, depth });
  }
  assert.ok(seen.newcomers > 100 && seen.others > 100, JSON.stringify(seen));
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
