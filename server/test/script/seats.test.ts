import assert from "node:assert/strict";
import { type TestContext, test } from "node:test";
import { createComputingTurns } from "../../src/extension/script/computing-turns.ts";
import { createScriptPool } from "../../src/extension/script/script-pool.ts";
import { createSeats } from "../../src/extension/script/seats.ts";
import type { Turn } from "../../src/extension/script/turns.ts";
import { virtualTime } from "./support/virtual-time.ts";

const sleep = (milliseconds: number): Promise<void> => new Promise((resolve) => setTimeout(resolve, milliseconds));

const room = { permits: 12, shares: [8, 3] } as const;

type Tenant = string | readonly [instanceId: string, organizationId: string];

/** Seats in a virtual time, and the runs that take them. */
function seatsOf(t: TestContext) {
  const { clock, pass } = virtualTime(t);
  const seats = createSeats(room, clock);
  const ownerOf = (tenant: Tenant) => {
    const [instanceId, organizationId] = typeof tenant === "string" ? ["one", tenant] : tenant;
    return { instanceId, organizationId };
  };
  /** Waits for a seat as scripts do, and holds it for so long. Says how it ended, and how long it waited. */
  const run = async (tenant: Tenant, milliseconds: number, longestWait = 10_000) => {
    const asked = clock();
    let seat: Turn;
    try {
      seat = await seats.take(ownerOf(tenant), longestWait);
    } catch {
      return { end: "refused", waited: clock() - asked };
    }
    const waited = clock() - asked;
    const { promise, resolve } = Promise.withResolvers<string>();
    seat.begin(() => resolve("displaced"));
    setTimeout(() => resolve("ran"), milliseconds);
    const end = await promise;
    seat.leave();
    return { end, waited };
  };
  let isOver = false;
  /** Runs one after the other, for as long as the test. */
  const keepRunning = async (tenant: Tenant, milliseconds: number, pause = 0): Promise<void> => {
    while (!isOver) {
      await run(tenant, milliseconds, 60_000);
      if (pause > 0) await sleep(pause);
    }
  };
  const finish = async (): Promise<void> => {
    isOver = true;
    await pass(60_000);
  };
  return { clock, pass, run, keepRunning, finish };
}

const organizations = (count: number): string[] => Array.from({ length: count }, (_, index) => `evil${index}`);
const times = <Value>(count: number, value: Value): Value[] => Array.from({ length: count }, () => value);

const attacks = [
  { name: "8 organizations with one run each", tenants: organizations(8) },
  { name: "12 organizations with one run each", tenants: organizations(12) },
  { name: "40 organizations with one run each", tenants: organizations(40) },
  { name: "3 organizations with 20 runs each", tenants: organizations(3).flatMap((name) => times(20, name)) },
  {
    name: "8 organizations whose runs end before others may end them",
    tenants: organizations(8).flatMap((name) => times(3, name)),
    milliseconds: 1_950,
  },
  {
    name: "16 organizations of two other instances",
    tenants: ["two", "three"].flatMap((instance) => organizations(8).map((name) => [instance, name] as const)),
  },
];

for (const { name, tenants, milliseconds = 20_000 } of attacks) {
  test(`a tenant's scripts begin soon and finish, whatever these do: ${name}`, async (t) => {
    const { pass, run, keepRunning, finish } = seatsOf(t);
    for (const tenant of tenants) void keepRunning(tenant, milliseconds);
    await pass(30_000);
    const found: { readonly end: string; readonly waited: number }[] = [];
    // Short ones, and some for which another server is slow.
    for (const length of [10, 10, 3_000, 10, 10, 10, 4_500]) {
      void run("bank", length).then((outcome) => found.push(outcome));
      await pass(10_000);
    }
    assert.deepEqual(
      found.map(({ end }) => end),
      times(7, "ran"),
    );
    const longest = Math.max(...found.map(({ waited }) => waited));
    assert.ok(longest <= 2_500, `${longest} ms`);
    await finish();
  });
}

test("organizations that take all seats at once hold the first run of another one up for some seconds", async (t) => {
  const { pass, run, keepRunning, finish } = seatsOf(t);
  for (const tenant of organizations(8)) void keepRunning(tenant, 20_000);
  await pass(100);
  const first = run("bank", 10);
  await pass(10_000);
  const { end, waited } = await first;
  assert.equal(end, "ran");
  assert.ok(waited >= 5_000 && waited < 6_500, `${waited} ms`);
  await finish();
});

const loads = [
  { count: 8, milliseconds: 8_000 },
  { count: 9, milliseconds: 5_000 },
  { count: 12, milliseconds: 1_500 },
  { count: 12, milliseconds: 5_000 },
  { count: 24, milliseconds: 3_000 },
  { count: 40, milliseconds: 1_500 },
];

for (const { count, milliseconds } of loads) {
  test(`scripts of ${count} tenants that take ${milliseconds} ms all finish, one of each at a time`, async (t) => {
    const { clock, pass, run } = seatsOf(t);
    const ends = new Map<string, number>();
    const until = clock() + 60_000;
    const repeat = async (name: string): Promise<void> => {
      while (clock() < until) {
        const { end } = await run(name, milliseconds);
        ends.set(end, (ends.get(end) ?? 0) + 1);
        await sleep(200);
      }
    };
    for (const name of organizations(count)) void repeat(name);
    await pass(80_000);
    assert.deepEqual([...ends.keys()], ["ran"]);
    const most = Math.floor((8 * 60_000) / milliseconds);
    assert.ok((ends.get("ran") ?? 0) > most * 0.8, "and the seats are used");
  });
}

test("a busy tenant's runs finish among those of others, also where it used free seats before", async (t) => {
  const { pass, run, keepRunning, finish } = seatsOf(t);
  const ends: string[] = [];
  const busy = async (): Promise<void> => {
    for (let count = 0; count < 20; count++) ends.push((await run("busy", 1_500)).end);
  };
  for (let index = 0; index < 3; index++) void busy();
  await pass(15_000);
  for (const name of organizations(11)) void keepRunning(name, 1_500, 300);
  await pass(75_000);
  assert.deepEqual(ends, times(60, "ran"));
  await finish();
});

test("a full queue has room for those who have less in it", async (t) => {
  const { pass, run, finish } = seatsOf(t);
  const ends: string[] = [];
  for (const name of organizations(5).flatMap((each) => times(60, each))) {
    void run(name, 60_000).then(({ end }) => ends.push(end));
  }
  await pass(50);
  assert.deepEqual(new Set(ends), new Set(["refused"]), "256 of an instance wait");
  const before = ends.length;
  const bank = run("bank", 10);
  await pass(5_000);
  assert.equal((await bank).end, "ran");
  assert.equal(ends.filter((end) => end === "refused").length, before + 1);
  await finish();
});

test("a run gives way only where that lets the waiting one begin", async (t) => {
  const { clock, pass } = virtualTime(t);
  const turns = createComputingTurns(3, clock);
  const ended: string[] = [];
  const begin = async (instanceId: string, organizationId: string) => {
    const turn = turns.begin({ instanceId, organizationId }, () => {
      ended.push(`${instanceId}${organizationId}`);
      turn.end();
    });
    await turn.enter(60_000);
  };
  await begin("j", "a");
  await begin("i", "a");
  await begin("i", "b");
  // The instance has its share already: what another one computes blocks nothing, although it began first.
  const third = begin("i", "c");
  await pass(2_000);
  assert.deepEqual(ended, [], "each computes for as long as a run may");
  await pass(500);
  await third;
  assert.deepEqual(ended, ["ia"]);
});

/** A server that answers nothing, for as long as the script waits. */
const silent = (_kind: string, _argument: string, signal: AbortSignal): Promise<string> =>
  new Promise((_resolve, reject) => {
    signal.addEventListener("abort", () => reject(new Error("gone")), { once: true });
  });

test("a pool ends scripts that wait for a server, for those who have no seat", async () => {
  const pool = createScriptPool();
  const common = { name: "f", kind: "token", input: "{}", words: ["service"], timeout: 10_000 } as const;
  const source = `function f() { require("service/http").fetch("https://silent.example"); }`;
  const bank = () =>
    pool.run({ instanceId: "one", organizationId: "bank" }, { ...common, source: "function f() {}" }, silent);
  assert.equal((await bank()).failure, undefined);
  const stop = new AbortController();
  const runs = organizations(3).flatMap((organizationId) =>
    Array.from({ length: 3 }, () =>
      pool.run({ instanceId: "one", organizationId }, { ...common, source }, (kind, argument, signal) =>
        silent(kind, argument, AbortSignal.any([signal, stop.signal])),
      ),
    ),
  );
  assert.equal((await bank()).failure, undefined);
  stop.abort();
  const ends = (await Promise.all(runs)).map(({ failure }) => failure);
  assert.deepEqual(ends.filter((end) => end === "displaced").length >= 1, true, ends.join());
  assert.ok(ends.includes("threw"), ends.join());
});
