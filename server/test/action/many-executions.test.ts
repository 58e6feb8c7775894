import assert from "node:assert/strict";
import { test } from "node:test";
import { generateMasterKey, parseMasterKey } from "../../src/base/master-key.ts";
import { systemRandom } from "../../src/base/random.ts";
import { createVault } from "../../src/base/vault.ts";
import { type Database, sql } from "../../src/database/index.ts";
import {
  createExecutionDirectory,
  createTarget,
  deleteTarget,
  setExecution,
  updateTarget,
} from "../../src/domain/action/index.ts";
import { eachEngine } from "../support/databases/databases.ts";
import { type Fixtures, makeFixtures } from "../support/operations/fixtures.ts";
import { outcome } from "../support/operations/outcome.ts";

const vault = createVault({ writing: parseMasterKey(generateMasterKey(systemRandom)), random: systemRandom });
const input = { kind: "webhook", timeout: 1000, isInterrupting: true, payloadType: "json" } as const;
const long = `https://hooks.example.com/${"e".repeat(2000)}`;

async function fill(
  { database, owner }: Fixtures,
  { targets, executions, each }: { readonly targets: number; readonly executions: number; readonly each: number },
): Promise<void> {
  const numbers = (count: number) =>
    sql`(with recursive counted (n) as (select 1 union all select n + 1 from counted where n < ${count}) select n from counted)`;
  await database.touch(owner, async (tx) => {
    tx.write(sql`insert into targets (instance_id, target_id, name, kind, endpoint, timeout, is_interrupting, payload_type,
        signing_key, sequence, created_at, changed_at)
      select ${tx.instanceId}, 't' || n, 'target', 'webhook', ${long}, 1000, 1, 'json', 'sealed', 1, 1, 1
      from ${numbers(targets)} numbers`);
    tx.write(sql`insert into executions (instance_id, execution_id, kind, word, first_sequence, sequence, created_at, changed_at)
      select ${tx.instanceId}, 'event/e' || n, 'event', 'service', 1, 1, 1, 1 from ${numbers(executions)} numbers`);
    tx.write(sql`insert into execution_targets (instance_id, execution_id, place, target_id)
      select ${tx.instanceId}, 'event/e' || e.n, t.n, 't' || (21 - t.n) from ${numbers(executions)} e, ${numbers(each)} t`);
  });
}

/** A database whose reads are counted, with the characters of their answers. */
function counted(database: Database) {
  const seen = { reads: 0, characters: 0 };
  const read: Database["read"] = {
    engine: database.engine,
    all: async <Row>(statement: Parameters<Database["read"]["all"]>[0]) => {
      const rows = await database.read.all<Row>(statement);
      seen.reads++;
      seen.characters += JSON.stringify(rows).length;
      return rows;
    },
    maybe: (statement) => database.read.maybe(statement),
  };
  const onCommitted: Database["onCommitted"] = (listener) => database.onCommitted(listener);
  return {
    seen,
    database: { engine: database.engine, read, hearsOtherNodes: true, onCommitted } as unknown as Database,
  };
}

eachEngine((open) => {
  test("more executions than an instance may have are kept in memory, with each target once", async (t) => {
    const fixtures = await makeFixtures(t, open);
    const { owner } = fixtures;
    await fill(fixtures, { targets: 20, executions: 1700, each: 20 });
    const { seen, database } = counted(fixtures.database);
    const directory = createExecutionDirectory({ database });
    const first = await directory.of(owner.instanceId);
    assert.equal(first.size, 1700);
    assert.ok(seen.characters < 1_000_000, `${seen.characters} characters are read`);
    const last = first.get("event/e1700");
    assert.deepEqual(
      last?.targets.map(({ targetId }) => targetId),
      Array.from({ length: 20 }, (_, index) => `t${20 - index}`),
    );
    assert.deepEqual([last?.word, last?.targets[0]?.endpoint], ["service", long]);
    const { reads } = seen;
    for (let count = 0; count < 10; count++) assert.equal(directory.of(owner.instanceId), first);
    assert.equal(seen.reads, reads, "a call reads nothing");

    await updateTarget({ ...fixtures, vault }, owner, { targetId: "t7", timeout: 2000, withNewSigningKey: false });
    const changed = await directory.of(owner.instanceId);
    const timeouts = changed.get("event/e3")?.targets.map(({ timeout }) => timeout) ?? [];
    assert.deepEqual([timeouts.filter((each) => each === 2000).length, timeouts.length], [1, 20]);
  });

  test("an instance has a bounded number of targets and executions", async (t) => {
    const fixtures = await makeFixtures(t, open);
    const { owner } = fixtures;
    const deps = { ...fixtures, vault };
    await fill(fixtures, { targets: 499, executions: 499, each: 1 });
    const another = fixtures.as([{ role: "IAM_OWNER", level: "instance" }], { instanceId: "another" });
    const create = (call = owner) =>
      createTarget(deps, call, { ...input, name: "t", endpoint: "https://hooks.example.com/" });
    const set = (event: string, targetIds: readonly string[]) =>
      setExecution(deps, owner, { condition: { kind: "event", event }, word: "service", targetIds });

    const { targetId } = (await create()).target;
    assert.equal(await outcome(() => create()), "resource_exhausted target.too_many");
    await create(another);
    await deleteTarget(deps, owner, { targetId });
    await create();

    await set("user.created", ["t1"]);
    assert.equal(await outcome(() => set("user.deleted", ["t1"])), "resource_exhausted execution.too_many");
    await set("user.created", ["t2"]);
    await set("user.created", []);
    await set("user.deleted", ["t1"]);
  });
});
