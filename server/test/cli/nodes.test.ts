import assert from "node:assert/strict";
import { randomBytes } from "node:crypto";
import { readFileSync } from "node:fs";
import { join } from "node:path";
import { test } from "node:test";
import { setTimeout as sleep } from "node:timers/promises";
import pg from "pg";
import { makeEmptyPostgres, onPostgres } from "../support/databases/databases.ts";
import { fetch } from "../support/http/fetch.ts";
import { makeDirectory, runCommand, startServerProcess } from "../support/servers/command.ts";

async function count(url: string, table: string): Promise<number> {
  const client = new pg.Client(url);
  await client.connect();
  try {
    return Number((await client.query(`select count(*) from ${table}`)).rows[0].count);
  } finally {
    await client.end();
  }
}

onPostgres(() => {
  test("three nodes that start at once on an empty database make one instance and one token", async (t) => {
    const directory = makeDirectory(t);
    const patFile = join(directory, "pat");
    const url = await makeEmptyPostgres(t);
    const environment = {
      DOORWARD_MASTER_KEY: randomBytes(32).toString("base64"),
      DOORWARD_DATABASE_URL: url,
      DOORWARD_BASE_URL: "http://localhost",
      DOORWARD_BOOTSTRAP_MACHINE_PAT_FILE: patFile,
      DOORWARD_HOST: "127.0.0.1",
    };
    const start = () => startServerProcess(t, ["start"], { in: directory, environment, isAlone: true });
    const nodes = await Promise.all([start(), start(), start()]);
    assert.deepEqual(
      await Promise.all(["instances", "organizations", "personal_access_tokens"].map((table) => count(url, table))),
      [1, 1, 1],
    );
    const token = readFileSync(patFile, "utf8").trim();
    const answers = await Promise.all(
      nodes.map(async ({ port }) => {
        const response = await fetch(`http://localhost:${port}/service.org.v2.OrganizationService/ListOrganizations`, {
          method: "POST",
          headers: { authorization: `Bearer ${token}`, "content-type": "application/json" },
          body: "{}",
        });
        const { result } = (await response.json()) as { result: { id: string }[] };
        return result.map(({ id }) => id).join();
      }),
    );
    assert.equal(new Set(answers).size, 1, "the nodes do not have the same instance");
    const ended = await Promise.all(nodes.map((node) => node.stop()));
    assert.deepEqual(
      ended.map(({ code }) => code),
      [0, 0, 0],
    );
  });

  test("two workers share the port, one that is killed is replaced, and both stop together", async (t) => {
    const environment = {
      DOORWARD_MASTER_KEY: randomBytes(32).toString("base64"),
      DOORWARD_DATABASE_URL: await makeEmptyPostgres(t),
      DOORWARD_WORKERS: "2",
      DOORWARD_HOST: "127.0.0.1",
      DOORWARD_LOG_FORMAT: "json",
      DOORWARD_OPERATIONS_LISTEN: "127.0.0.1:0",
    };
    const server = await startServerProcess(t, ["start"], { in: makeDirectory(t), environment, isAlone: true });
    assert.equal(server.ready.workers, 2);
    const operations = await server.printed(/"host":"127\.0\.0\.1","port":(\d+),"msg":"operations endpoints"/);
    const metrics = async () => (await fetch(`http://127.0.0.1:${operations}/debug/metrics`)).text();
    const readyRequests = async (): Promise<number> =>
      Number(/route="\/debug\/ready",status="200"\} (\d+)/.exec(await metrics())?.[1]);
    const workers = () => childrenOf(server.child.pid ?? 0);
    const [first, second] = workers();
    assert.ok(first && second, "there are not two processes");
    const ask = async () => (await fetch(`${server.origin}/debug/ready`, { headers: { connection: "close" } })).status;
    assert.deepEqual(
      await Promise.all(Array.from({ length: 8 }, ask)),
      Array.from({ length: 8 }, () => 200),
    );

    assert.equal(await readyRequests(), 8, "whichever worker answered (U5)");
    assert.match(await metrics(), /^doorward_workers_up 2$/m);
    assert.match(await metrics(), /^process_resident_memory_bytes\{worker="2"\} \d+$/m);
    assert.equal((await fetch(`http://127.0.0.1:${operations}/debug/ready`)).status, 200);

    process.kill(first, "SIGKILL");
    await server.printed(/a worker died; starting another/);
    assert.equal(await ask(), 200, "the other worker does not answer");
    for (let attempt = 0; attempt < 300 && workers().length < 2; attempt++) await sleep(50);
    const after = workers();
    assert.equal(after.length, 2, "nobody replaced the worker that was killed");
    assert.ok(!after.includes(first) && after.includes(second));
    assert.ok((await readyRequests()) >= 9, "what a worker had counted outlives it (U5)");

    const { code, stdout } = await server.stop();
    assert.equal(code, 0);
    assert.equal(stdout.match(/"ready":true/g)?.length, 1, "each worker says that it is ready");
    for (const worker of after) assert.throws(() => process.kill(worker, 0), /ESRCH/, "a worker was left behind");
  });

  test("workers that cannot start are reported once, and not restarted forever", async (t) => {
    const environment = {
      DOORWARD_MASTER_KEY: randomBytes(32).toString("base64"),
      DOORWARD_DATABASE_URL: "postgres://127.0.0.1:1/x",
      DOORWARD_BASE_URL: "http://localhost",
      DOORWARD_WORKERS: "2",
    };
    const { code, stderr } = await runCommand(t, ["start"], { in: makeDirectory(t), environment, isAlone: true });
    assert.equal(code, 1);
    assert.equal(stderr.match(/does not answer/g)?.length, 1);
  });
});

/** Processes that the process started, as the system knows them. */
function childrenOf(parent: number): number[] {
  const children = readFileSync(`/proc/${parent}/task/${parent}/children`, "utf8");
  return children.trim().split(" ").filter(Boolean).map(Number);
}
