import { mkdtempSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import process from "node:process";
import pg from "pg";
import type { Call } from "../server/src/call/index.ts";
import { type Database, openDatabase, sql } from "../server/src/database/index.ts";
import { hasPostgres, startPostgres } from "../server/test/support/databases/postgres.ts";

// What the storage alone can do: transactions (one row changed and one event) that are answered when they are durable,
// and reads by key, from one process. `npm run bench:storage -- [seconds] [sqlite|postgres|both] [clients,…]`.
const seconds = Number(process.argv[2] ?? 2);
const only = process.argv[3];
const rowCount = 10_000;
const clientCounts = (process.argv[4] ?? "1,8,32").split(",").map(Number);
const call: Call = { instanceId: "bench", requestId: "request", now: 1_800_000_000_000, language: "en" };
const document = "x".repeat(400);
let sequence = 0;

const key = (n: number): string => `organization-${n % rowCount}`;
const owner = (n: number): string => `organization-${n % 50}`;

async function fill(database: Database): Promise<void> {
  for (let start = 0; start < rowCount; start += 1000) {
    await database.touch(call, async (tx) => {
      for (let n = start; n < start + 1000; n++) {
        await tx.run(sql`insert into settings
          (instance_id, organization_id, kind, document, sequence, created_at, changed_at)
          values (${tx.instanceId}, ${key(n)}, 'bench', ${document}, 1, ${tx.now}, ${tx.now})`);
      }
    });
  }
}

function write(database: Database, n: number): Promise<void> {
  return database.change(call, async (tx) => {
    const row = await tx.maybe<{ sequence: number }>(sql`update settings
      set document = ${document}, sequence = sequence + 1, changed_at = ${tx.now}
      where instance_id = ${tx.instanceId} and kind = 'bench' and organization_id = ${key(n)} returning sequence`);
    if (row === undefined) throw new Error("the row is missing");
    const aggregate = { aggregateType: "settings", aggregateId: key(n), ownerId: owner(n) };
    tx.record({ type: "settings.set", ...aggregate, sequence: row.sequence, payload: { kind: "bench" } });
  });
}

// Sessions, tokens and their like: each has a new id, and ids increase with time.
let nextId = 300_000_000_000_000_000n;

function insert(database: Database): Promise<void> {
  return database.change(call, async (tx) => {
    const id = `${nextId++}`;
    await tx.run(sql`insert into settings
      (instance_id, organization_id, kind, document, sequence, created_at, changed_at)
      values (${tx.instanceId}, ${id}, 'new', ${document}, 1, ${tx.now}, ${tx.now})`);
    const aggregate = { aggregateType: "settings", aggregateId: id, ownerId: owner(Number(nextId % 1000n)) };
    tx.record({ type: "settings.set", ...aggregate, sequence: 1, payload: { kind: "new" } });
  });
}

async function read(database: Database, n: number): Promise<void> {
  const row =
    await database.read.maybe(sql`select document, sequence, created_at as "createdAt", changed_at as "changedAt"
    from settings where instance_id = ${"bench"} and kind = 'bench' and organization_id = ${key(n)}`);
  if (row === undefined) throw new Error("the row is missing");
}

/** Clients that each ask again as soon as they are answered. */
async function measure(name: string, clients: number, operation: (n: number) => Promise<void>): Promise<void> {
  const run = async (milliseconds: number): Promise<number[]> => {
    const times: number[] = [];
    const end = performance.now() + milliseconds;
    const client = async (): Promise<void> => {
      for (let now = performance.now(); now < end; ) {
        // Far apart, so that clients do not wait for the same row.
        await operation(Math.imul(sequence++, 7919) >>> 0);
        const after = performance.now();
        times.push(after - now);
        now = after;
      }
    };
    await Promise.all(Array.from({ length: clients }, client));
    return times;
  };
  await run(500);
  const started = performance.now();
  const cpu = process.cpuUsage();
  const times = (await run(seconds * 1000)).sort((a, b) => a - b);
  const elapsed = performance.now() - started;
  const { user, system } = process.cpuUsage(cpu);
  const at = (share: number): string => (times[Math.floor(times.length * share)] ?? 0).toFixed(2).padStart(7);
  const rate = Math.round((times.length / elapsed) * 1000)
    .toLocaleString("en")
    .padStart(9);
  const cpuPerOperation = ((user + system) / times.length).toFixed(1).padStart(6);
  console.log(
    `${name.padEnd(28)} ${`${clients}`.padStart(3)} ${rate}/s  p50 ${at(0.5)} ms  p99 ${at(0.99)} ms  ${cpuPerOperation} µs CPU`,
  );
}

async function bench(name: string, database: Database): Promise<void> {
  await fill(database);
  for (const clients of clientCounts) await measure(`${name} changed row + event`, clients, (n) => write(database, n));
  for (const clients of clientCounts) await measure(`${name} new row + event`, clients, () => insert(database));
  for (const clients of clientCounts) await measure(`${name} read by key`, clients, (n) => read(database, n));
  await database.close();
}

const warn = (message: string): void => console.warn(message);

if (only !== "postgres") {
  const directory = mkdtempSync(join(tmpdir(), "doorward-bench-"));
  await bench("sqlite", await openDatabase({ directory, warn })).finally(() => rmSync(directory, { recursive: true }));
}
if (only !== "sqlite" && hasPostgres()) {
  const server = await startPostgres({ isDurable: true });
  try {
    // Measured after the checkpoint that a new cluster makes.
    const client = new pg.Client(server.url);
    await client.connect();
    await client.query("checkpoint");
    await client.end();
    await bench("postgres", await openDatabase({ url: server.url, warn, announces: () => false }));
  } finally {
    await server.stop();
  }
}
console.log(`memory ${Math.round(process.memoryUsage.rss() / 1e6)} MB`);
