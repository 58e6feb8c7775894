import assert from "node:assert/strict";
import { test } from "node:test";
import { createBudgets } from "../../src/base/budget/budgets.ts";
import { createFairTurns } from "../../src/base/budget/fair-turns.ts";
import { networkOf } from "../../src/base/budget/network-of.ts";
import { payerOf } from "../../src/base/budget/payer.ts";
import { QueueFull } from "../../src/base/budget/semaphore.ts";
import { createSourceLimiter } from "../../src/base/budget/source-limiter.ts";
import { createHoldRefusals } from "../../src/web/hold-refusals.ts";
import { createRateLimits } from "../../src/web/rate-limits.ts";

const now = 1_800_000_000_000;
const instanceId = "instance";

/** Networks of one site, and where the last of them has no budget left though it has used nothing. */
const networks = Array.from({ length: 6 }, (_, index) => `2001:db8:9:${index}::1`).map(networkOf);

test("all networks of a block have four times what one of them has, however many they are", () => {
  const limiter = createSourceLimiter({ perMinute: 5 });
  const take = (source: string, subject = "a") => limiter.take(subject, source, now) === 0;
  let taken = 0;
  for (const network of networks) for (let count = 0; count < 8; count++) if (take(network)) taken++;
  assert.equal(taken, 20);
  assert.equal(limiter.peek("a", "2001:db8:9:ff::/64", now) > 0, true);
  assert.deepEqual([take("2001:db8:9:ff::/64"), take("2001:db8:9:ff::/64", "b")], [false, true], "another subject");
  assert.deepEqual([take("2001:db8:a:0::/64"), take("198.51.100.1")], [true, true], "other sites");
  limiter.giveBack("a", "2001:db8:9:0::/64");
  assert.equal(take("2001:db8:9:ff::/64"), true, "what was given back");
});

test("what the block is refused does not count for the network, and an address of IPv4 is not a block", () => {
  const limiter = createSourceLimiter({ perMinute: 60, burst: 1 });
  for (const network of networks.slice(0, 4)) assert.equal(limiter.take("", network, now), 0);
  for (let count = 0; count < 3; count++) assert.equal(limiter.take("", "2001:db8:9:ff::/64", now), 250);
  assert.equal(limiter.take("", "2001:db8:9:ff::/64", now + 250), 0);
  assert.equal(limiter.take("", "198.51.100.1", now), 0);
  assert.equal(limiter.take("", "198.51.100.1", now), 1000);
});

test("every budget of sources in memory has one of blocks", () => {
  const rates = { authorization: 3, token: 3, introspection: 3, login: 3, signUp: 3, registration: 3, keys: 3 };
  const limits = createRateLimits(rates);
  for (const name of Object.keys(rates) as (keyof typeof rates)[]) {
    const ask = (source: string) => limits.ofSource({ name, instanceId, now }, source) === 0;
    const passed = networks.flatMap((_, index) => [1, 2, 3].filter(() => ask(`2001:db8:9:${index}::1`)));
    assert.equal(passed.length, 12, name);
    assert.equal(ask("2001:db8:a::1"), true, name);
  }
  const budgets = createBudgets({ authorization: 1, login: 1, token: 1 });
  for (const [name, amount, each] of [
    ["password_of_source", 1, 15],
    ["authorization_bytes_of_source", 1024, 4],
    ["kept_answer_bytes_of_source", 4096, 4],
    ["pushed_bytes_of_source", 1_048_576, 4],
  ] as const) {
    const take = (source: string) => budgets.take(name, { instanceId, now, source, subject: "ada" }, amount) === 0;
    const taken = networks.flatMap((network) => Array.from({ length: each + 1 }, () => take(network)).filter(Boolean));
    assert.equal(taken.length, 4 * each, name);
    assert.equal(take("2001:db8:a:0::/64"), true, name);
  }
  const hold = createHoldRefusals();
  const prompt = networks.flatMap((source) =>
    Array.from({ length: 100 }, () => hold({ instanceId, now, source })).filter((held) => held === undefined),
  );
  assert.equal(prompt.length, 400);
});

test("the networks of a block wait for their turns as one, and jobs as before", async () => {
  const turns = createFairTurns({ permits: 100, shares: [100, 4, 1], queueLimits: [100, 2, 1], queueLimit: 100 });
  const never = () => new Promise<never>(() => {});
  const run = (source: string) => turns.run(payerOf(instanceId, source), never);
  for (const network of networks.slice(0, 4)) void run(network);
  assert.equal(turns.running, 4);
  for (const network of networks.slice(0, 2)) void run(network);
  assert.equal(turns.waiting, 2, "each may have one more, and the block two");
  await assert.rejects(run(networks[5] ?? ""), QueueFull);
  void run("2001:db8:a:0::/64");
  for (const name of ["messages", "messages"]) void run(name);
  assert.deepEqual([turns.running, turns.waiting], [6, 3]);
});
