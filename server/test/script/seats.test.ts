import assert from "node:assert/strict";
import { test } from "node:test";
import { setTimeout as sleep } from "node:timers/promises";
import { createComputingTurns } from "../../src/extension/script/computing-turns.ts";
import { createScriptPool } from "../../src/extension/script/script-pool.ts";
import { createSeats } from "../../src/extension/script/seats.ts";

/** A server that answers nothing, for as long as the script waits. */
const silent = (_kind: string, _argument: string, signal: AbortSignal): Promise<string> =>
  new Promise((_resolve, reject) => {
    signal.addEventListener("abort", () => reject(new Error("gone")), { once: true });
  });

const common = { name: "f", kind: "token", input: "{}", words: ["service"] } as const;
const waiting = {
  ...common,
  source: `function f() { require("service/http").fetch("https://silent.example"); }`,
  timeout: 4_000,
} as const;
const quick = { ...common, source: "function f() {}", timeout: 10_000 } as const;

const cases = [
  { attackers: ["one", "one"], isFull: false },
  { attackers: ["one", "one", "one"], isFull: true },
  { attackers: ["two", "two", "two", "three", "three", "three"], isFull: true },
];

for (const { attackers, isFull } of cases) {
  test(`a script runs soon while those of ${attackers.length} other organizations wait for a server`, async () => {
    const pool = createScriptPool();
    const bank = { instanceId: "one", organizationId: "bank" };
    assert.equal((await pool.run(bank, quick, silent)).failure, undefined);
    const runs = attackers.flatMap((instanceId, index) =>
      Array.from({ length: 3 }, () => pool.run({ instanceId, organizationId: `evil${index}` }, waiting, silent)),
    );
    await sleep(500);
    const begun = performance.now();
    assert.equal((await pool.run(bank, quick, silent)).failure, undefined);
    assert.ok(performance.now() - begun < 3_000);
    const ends = (await Promise.all(runs)).map(({ failure }) => failure);
    // How many give way to one another besides depends on how fast the machine is (see the next test).
    assert.equal(ends.includes("displaced"), isFull, ends.join());
  });
}

test("seats are taken from those who have most, and not by those who have as many", async () => {
  const seats = createSeats({ permits: 6, shares: [5, 3] });
  const ended: string[] = [];
  const sit = async (instanceId: string, organizationId: string, longestWait = 60_000) => {
    const seat = await seats.take({ instanceId, organizationId }, longestWait);
    seat.begin(() => {
      ended.push(`${instanceId}${organizationId}`);
      seat.leave();
    });
    return seat;
  };
  await sit("i", "a");
  await sit("i", "a");
  await sit("i", "a");
  await assert.rejects(sit("i", "a", 1_500), { name: "QueueFull" }, "its own organization's are no reason");
  await sit("i", "b");
  await sit("i", "b");
  await assert.rejects(sit("i", "b", 1_500), { name: "QueueFull" }, "it would have more than the others");
  await sit("j", "a");
  assert.deepEqual(ended, []);
  await sit("i", "c");
  assert.deepEqual(ended, ["ia"], "the instance is full, so its own runs give way");
  await sit("k", "a");
  assert.deepEqual(ended, ["ia", "ia"], "the process is full, so the instance with most gives way");
  await assert.rejects(sit("i", "b", 1_500), { name: "QueueFull" }, "it has as many as it can have");
});

test("a run gives way only where that lets the waiting one begin", async () => {
  const turns = createComputingTurns(3);
  const ended: string[] = [];
  const begin = async (instanceId: string, organizationId: string, longestWait = 60_000) => {
    const turn = turns.begin({ instanceId, organizationId }, () => {
      ended.push(`${instanceId}${organizationId}`);
      turn.end();
    });
    await turn.enter(longestWait);
  };
  await begin("j", "a");
  await begin("i", "a");
  await begin("i", "b");
  await sleep(1_100);
  // The instance has its share already: what another one computes blocks nothing, although it began first.
  await begin("i", "c");
  assert.deepEqual(ended, ["ia"]);
});
