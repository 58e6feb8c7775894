import assert from "node:assert/strict";
import { test } from "node:test";
import { setImmediate as turn } from "node:timers/promises";
import { createSemaphore, QueueFull } from "../../src/base/budget/semaphore.ts";

test("no more tasks run than there are permits, and all admitted tasks finish in order", async () => {
  const semaphore = createSemaphore({ permits: 3, queueLimit: 97 });
  const started: number[] = [];
  let most = 0;
  await Promise.all(
    Array.from({ length: 100 }, (_, index) =>
      semaphore.run(async () => {
        started.push(index);
        most = Math.max(most, semaphore.running);
        for (let waits = index % 5; waits >= 0; waits--) await turn();
      }),
    ),
  );
  assert.equal(most, 3);
  assert.deepEqual(
    started,
    Array.from({ length: 100 }, (_, index) => index),
  );
  assert.deepEqual([semaphore.running, semaphore.waiting], [0, 0]);
});

test("what finds the queue full is refused at once and was never started", async () => {
  const semaphore = createSemaphore({ permits: 1, queueLimit: 2 });
  const { promise, resolve } = Promise.withResolvers<void>();
  const works = [semaphore.run(() => promise), semaphore.run(() => promise), semaphore.run(() => promise)];
  let isStarted = false;
  await assert.rejects(
    semaphore.run(async () => {
      isStarted = true;
    }),
    QueueFull,
  );
  assert.equal(isStarted, false);
  resolve();
  await Promise.all(works);
  assert.equal(await semaphore.run(async () => "free again"), "free again");
});

test("a task that fails returns its permit", async () => {
  const semaphore = createSemaphore({ permits: 1, queueLimit: 10 });
  const fail = async (): Promise<never> => {
    throw new RangeError("broken");
  };
  const results = await Promise.allSettled([semaphore.run(fail), semaphore.run(fail), semaphore.run(async () => 7)]);
  assert.deepEqual(
    results.map(({ status }) => status),
    ["rejected", "rejected", "fulfilled"],
  );
  assert.equal(semaphore.running, 0);
});
