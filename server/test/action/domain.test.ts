import assert from "node:assert/strict";
import { generateKeyPairSync } from "node:crypto";
import { type TestContext, test } from "node:test";
import { generateMasterKey, parseMasterKey } from "../../src/base/master-key.ts";
import { systemRandom } from "../../src/base/random.ts";
import { createVault } from "../../src/base/vault.ts";
import type { Call } from "../../src/call/index.ts";
import { type Database, type Reader, sql } from "../../src/database/index.ts";
import {
  activateTargetKey,
  addTargetKey,
  createExecutionDirectory,
  createTarget,
  deactivateTargetKey,
  deleteTarget,
  findRunnable,
  getTarget,
  holdQueue,
  keepQueue,
  listDeliveries,
  listExecutions,
  listTargetKeys,
  listTargets,
  queuePayload,
  readPayload,
  readQueue,
  releaseQueue,
  removeTargetKey,
  setExecution,
  settle,
  type TargetInput,
  updateTarget,
} from "../../src/domain/action/index.ts";
import { eachEngine, type OpenDatabase } from "../support/databases/databases.ts";
import { makeFixtures } from "../support/operations/fixtures.ts";
import { outcome } from "../support/operations/outcome.ts";

const vault = createVault({ writing: parseMasterKey(generateMasterKey(systemRandom)), random: systemRandom });
const input: TargetInput = {
  name: "target",
  kind: "call",
  endpoint: "https://hooks.example.com/",
  timeout: 1000,
  isInterrupting: true,
  payloadType: "json",
};
const everything = { filters: [], isDescending: false, page: { offset: 0, limit: 100 } };
const all = { kind: "request", all: true } as const;

async function start(t: TestContext, open: OpenDatabase) {
  const fixtures = await makeFixtures(t, open);
  const deps = { ...fixtures, vault };
  const there: Call = fixtures.as([{ role: "IAM_OWNER", level: "instance" }], { instanceId: "another" });
  const make = async (call: Call): Promise<string> => (await createTarget(deps, call, input)).target.targetId;
  const set = (call: Call, targetIds: readonly string[]) =>
    setExecution(deps, call, { condition: all, word: "service", targetIds });
  return { deps, here: fixtures.owner, there, make, set };
}

const publicKey = (): string =>
  generateKeyPairSync("ec", { namedCurve: "P-256" }).publicKey.export({ type: "spki", format: "pem" }).toString();

eachEngine((open) => {
  test("large payloads are left out when too much waits for their target", async (t) => {
    const { deps, here, make } = await start(t, open);
    const [full, other] = [await make(here), await make(here)];
    const queue = (targetId: string, length: number) =>
      queuePayload(deps, here, { targetId, subject: "call", payload: { text: "x".repeat(length) }, mostBytes: 60_000 });
    for (const [targetId, length, isQueued] of [
      [full, 30_000, true],
      [full, 30_000, true],
      [full, 30_000, false],
      [full, 1_000, true],
      [other, 30_000, true],
    ] as const) {
      assert.equal(await queue(targetId, length), isQueued, `${length}`);
    }
  });

  test("targets and executions are of one instance: another one cannot see, change, delete or call them", async (t) => {
    const { deps, here, there, make, set } = await start(t, open);
    const targetId = await make(here);
    const { keyId } = await addTargetKey(deps, here, { targetId, publicKey: publicKey() });
    await set(here, [targetId]);
    const absent = "not_found target.not_found";
    const attempts: readonly (() => Promise<unknown>)[] = [
      () => getTarget(deps, there, { targetId }),
      () => updateTarget(deps, there, { targetId, withNewSigningKey: true }),
      () => set(there, [targetId]),
      () => addTargetKey(deps, there, { targetId, publicKey: publicKey() }),
      () => activateTargetKey(deps, there, { targetId, keyId }),
      () => deactivateTargetKey(deps, there, { targetId, keyId }),
      () => removeTargetKey(deps, there, { targetId, keyId }),
      () => listTargetKeys(deps, there, { ...everything, targetId, orderBy: "created_at" }),
      () => listDeliveries(deps, there, { ...everything, targetId }),
    ];
    for (const attempt of attempts) assert.equal(await outcome(attempt), absent, attempt.toString());
    assert.equal(await deleteTarget(deps, there, { targetId }), undefined);
    await set(there, []);
    assert.equal((await listTargets(deps, there, { ...everything, orderBy: "id" })).total, 0);
    assert.equal((await listExecutions(deps, there, { ...everything, orderBy: "id" })).total, 0);

    const directory = createExecutionDirectory(deps);
    assert.equal((await directory.of(there.instanceId)).size, 0);
    assert.equal((await directory.of(here.instanceId)).get("request")?.targets[0]?.targetId, targetId);
  });

  test("an instance without executions is asked of the database once; a change is known with its commit", async (t) => {
    const { deps, here, make, set } = await start(t, open);
    let reads = 0;
    const counted: Reader = {
      engine: deps.database.engine,
      all: (statement) => {
        reads++;
        return deps.database.read.all(statement);
      },
      maybe: (statement) => deps.database.read.maybe(statement),
    };
    const { database: real } = deps;
    const database: Database = {
      engine: real.engine,
      read: counted,
      hearsOtherNodes: true,
      change: (call, work) => real.change(call, work),
      changeAtLength: (call, work) => real.changeAtLength(call, work),
      touch: (call, work) => real.touch(call, work),
      touchAtLength: (call, work) => real.touchAtLength(call, work),
      onCommitted: (listener) => real.onCommitted(listener),
      ping: () => real.ping(),
      close: () => real.close(),
    };
    const directory = createExecutionDirectory({ database });
    await directory.of(here.instanceId);
    for (let index = 0; index < 100; index++) {
      const known = directory.of(here.instanceId);
      assert.ok(!(known instanceof Promise) && known.size === 0);
    }
    assert.equal(reads, 1);
    const targetId = await make(here);
    const met = async () => findRunnable(await directory.of(here.instanceId), ["request/a/b", "request/a", "request"]);
    assert.equal(await met(), undefined);
    await set(here, [targetId]);
    assert.equal((await met())?.targets[0]?.timeout, 1000);
    await updateTarget(deps, here, { targetId, timeout: 2000, withNewSigningKey: false });
    assert.equal((await met())?.targets[0]?.timeout, 2000);
    await deleteTarget(deps, here, { targetId });
    assert.equal(await met(), undefined);
  });

  test("an execution never has a deleted target, whichever change comes first", async (t) => {
    const { deps, here, make, set } = await start(t, open);
    for (let round = 0; round < 10; round++) {
      const [targetId, other] = [await make(here), await make(here)];
      await set(here, [other, targetId]);
      await Promise.all([
        deleteTarget(deps, here, { targetId }),
        outcome(() => set(here, [targetId])),
        outcome(() => set(here, [targetId, other])),
      ]);
      const stray = sql`select t.target_id from execution_targets t where not exists (select 1 from targets x
        where x.instance_id = t.instance_id and x.target_id = t.target_id)`;
      assert.deepEqual(await deps.database.read.all(stray), []);
      const empty = sql`select execution_id from executions e where not exists (select 1 from execution_targets t
        where t.instance_id = e.instance_id and t.execution_id = e.execution_id)`;
      assert.deepEqual(await deps.database.read.all(empty), []);
    }
  });

  test("a queue is held by one node, and a node that takes too long loses it", async (t) => {
    const { deps, here, make } = await start(t, open);
    const targetId = await make(here);
    const clock = { now: here.now };
    const node = { ...deps, clock: () => clock.now };
    const payload = { request: { password: "secret" } };
    const [before, queued] = [
      await holdQueue(node, 60_000),
      queuePayload(deps, here, { targetId, subject: "request", payload }),
    ];
    assert.equal(before, undefined, "there is nothing to hold");
    await queued;
    const held = await Promise.all([holdQueue(node, 60_000), holdQueue(node, 60_000), holdQueue(node, 60_000)]);
    const [mine, ...others] = held.filter((queue) => queue !== undefined);
    assert.ok(mine !== undefined && others.length === 0);
    clock.now += 59_999;
    assert.equal(await holdQueue(node, 60_000), undefined);
    assert.equal(await keepQueue(node, mine, 60_000), true);
    clock.now += 60_000;
    const next = await holdQueue(node, 60_000);
    assert.ok(next);
    assert.equal(await keepQueue(node, mine, 60_000), false);
    await releaseQueue(node, mine, { tookNothing: false });
    assert.equal(await keepQueue(node, next, 60_000), true, "the former holder lets go of nothing");

    const [delivery] = (await readQueue(node, next, 10))?.due ?? [];
    assert.ok(delivery);
    assert.deepEqual(await readPayload(node, next, delivery), payload);
    assert.deepEqual(
      [await settle(node, next, delivery, {}), await settle(node, mine, delivery, { failure: "timed_out" })],
      ["delivered", "postponed"],
    );
    const { rows } = await listDeliveries(deps, here, { ...everything, targetId });
    assert.deepEqual(
      rows.map(({ state, attempts, failure }) => [state, attempts, failure]),
      [["delivered", 1, undefined]],
      "an attempt that is late changes nothing",
    );
  });

  test("when several keys are activated at once, exactly one is active", async (t) => {
    const { deps, here, make } = await start(t, open);
    const targetId = await make(here);
    const keys = [];
    for (let index = 0; index < 4; index++)
      keys.push(await addTargetKey(deps, here, { targetId, publicKey: publicKey() }));
    await Promise.all(keys.map(({ keyId }) => activateTargetKey(deps, here, { targetId, keyId })));
    const search = {
      ...everything,
      targetId,
      orderBy: "created_at",
      filters: [{ by: "active", isActive: true }],
    } as const;
    assert.equal((await listTargetKeys(deps, here, search)).total, 1);
  });
});
