import assert from "node:assert/strict";
import { type ChildProcess, spawn, spawnSync } from "node:child_process";
import {
  closeSync,
  fstatSync,
  mkdtempSync,
  readdirSync,
  readlinkSync,
  renameSync,
  rmSync,
  statSync,
  writeFileSync,
} from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import process from "node:process";
import { createInterface } from "node:readline";
import { describe, type TestContext, test } from "node:test";
import { fileURLToPath } from "node:url";
import { type Database, DatabaseUnavailable, DirectoryInUse, openDatabase, sql } from "../../src/database/index.ts";
import { openSqlite } from "../../src/database/sqlite/sqlite-database.ts";
import { WalFile } from "../../src/database/sqlite/wal-file.ts";
import { makeLocation } from "../support/databases/databases.ts";
import { testCall } from "../support/operations/call.ts";

const child = fileURLToPath(new URL("./writer.child.ts", import.meta.url));
const call = testCall();
const onLinux = { skip: process.platform !== "linux" && "needs /proc" };

async function makeDirectory(t: TestContext): Promise<string> {
  const { directory } = await makeLocation(t, "sqlite");
  assert.ok(directory !== undefined);
  return directory;
}

async function open(t: TestContext, directory: string): Promise<Database> {
  const database = await openDatabase({ directory, warn: (message) => assert.fail(message) });
  t.after(() => database.close());
  return database;
}

const put = (database: Database, id: string, value = "value"): Promise<number> =>
  database.touch(call, (tx) =>
    tx.run(sql`insert into metadata (instance_id, owner_type, owner_id, metadata_key, metadata_value, created_at, changed_at)
      values ('instance-1', 'user', ${id}, 'name', ${value}, 1, 1)`),
  );

const count = async (database: Database): Promise<number> =>
  (await database.read.maybe<{ n: number }>(sql`select count(*) as "n" from metadata`))?.n ?? -1;

/** A process that owns the directory and writes; resolves when it says that it began. */
async function startWriter(directory: string): Promise<{ writer: ChildProcess; lines: AsyncIterator<string> }> {
  const writer = spawn(process.execPath, [child, directory], { stdio: ["ignore", "pipe", "inherit"] });
  assert.ok(writer.stdout);
  const lines = createInterface(writer.stdout)[Symbol.asyncIterator]();
  await lines.next();
  return { writer, lines };
}

const exitOf = (running: ChildProcess): Promise<unknown> => new Promise((resolve) => running.once("exit", resolve));

describe("the data directory", () => {
  test("a second process is refused, told the directory and the process that has it", async (t) => {
    const directory = await makeDirectory(t);
    const { writer } = await startWriter(directory);
    const ended = exitOf(writer);
    const second = openDatabase({ directory, warn: () => {} });
    await assert.rejects(second, (error: unknown) => {
      assert.ok(error instanceof DirectoryInUse);
      assert.ok(error.message.includes(directory) && error.message.includes(`process ${writer.pid};`), error.message);
      return true;
    });
    writer.kill("SIGKILL");
    await ended;
    // The lock went with the process, though its files are still there.
    const database = await open(t, directory);
    assert.ok((await count(database)) >= 0);
  });

  test("the same process is refused a second time, and let in again after closing", async (t) => {
    const directory = await makeDirectory(t);
    const first = await open(t, directory);
    await assert.rejects(openDatabase({ directory, warn: () => {} }), DirectoryInUse);
    await first.close();
    await open(t, directory);
  });

  test("other users of the machine cannot read it", async (t) => {
    const directory = join(await makeDirectory(t), "new");
    const database = await open(t, directory);
    await put(database, "a");
    assert.equal(statSync(directory).mode & 0o777, 0o700);
    for (const name of readdirSync(directory)) {
      assert.equal(statSync(join(directory, name)).mode & 0o077, 0, name);
    }
  });
});

describe("durability", () => {
  test("what was answered before kill -9 is there, whole, and in order", async (t) => {
    const directory = await makeDirectory(t);
    let acknowledged = -1;
    for (let round = 0; round < 8; round++) {
      const { writer, lines } = await startWriter(directory);
      const ended = exitOf(writer);
      setTimeout(() => writer.kill("SIGKILL"), 20 + 37 * round);
      for (let line = await lines.next(); line.done !== true; line = await lines.next()) {
        acknowledged = Math.max(acknowledged, Number(line.value));
      }
      await ended;
    }
    assert.ok(acknowledged > 0, "nothing was written before the kill");
    const database = await open(t, directory);
    const rows = await database.read.all<{ id: number }>(
      sql`select sequence as "id" from settings where kind <> 'count' order by sequence`,
    );
    const events = await database.read.all<{ id: number }>(sql`select sequence as "id" from events order by position`);
    assert.deepEqual(events, rows);
    // The writer numbers its changes and each is acknowledged, so no number is missing.
    assert.deepEqual(
      rows,
      rows.map((_, index) => ({ id: index })),
    );
    assert.ok(rows.length > acknowledged);
  });

  test(
    "the descriptor that is synced is the log that SQLite writes, even when that was replaced",
    onLinux,
    async (t) => {
      const file = join(await makeDirectory(t), "x.db");
      const wal = new WalFile(file);
      t.after(() => wal.close());
      writeFileSync(`${file}-wal`, "first");
      await wal.sync();
      writeFileSync(`${file}-new`, "second");
      renameSync(`${file}-new`, `${file}-wal`);
      await wal.sync();
      assert.deepEqual(
        descriptorsOf(`${file}-wal`).map((descriptor) => fstatSync(descriptor).ino),
        [statSync(`${file}-wal`).ino],
      );
    },
  );

  test(
    "a commit that the disk fails to store is neither acknowledged nor read, and nothing is written after it",
    onLinux,
    async (t) => {
      const directory = await makeDirectory(t);
      const database = await openDatabase({ directory, warn: (message) => assert.fail(message) });
      await put(database, "a");
      // Our own descriptor of the log, which SQLite does not use: the lowest is SQLite's, opened before.
      const descriptors = descriptorsOf(join(directory, "doorward.db-wal"));
      closeSync(descriptors.at(-1) as number);
      // "e" is in the batch after the one that fails.
      const waiting = new Promise((resolve) => setImmediate(resolve)).then(() => put(database, "e"));
      await Promise.all([
        assert.rejects(put(database, "b"), DatabaseUnavailable),
        assert.rejects(put(database, "d"), DatabaseUnavailable),
        assert.rejects(waiting, DatabaseUnavailable),
      ]);
      assert.equal(await count(database), 1);
      await assert.rejects(put(database, "c"), /restart/);
      await assert.rejects(database.ping(), DatabaseUnavailable);
      await assert.rejects(database.close(), /EBADF/);
    },
  );
});

describe("a full disk", () => {
  test("refuses writes, continues reading, leaves nothing half, and is used again when there is room", (t) => {
    const inOwnFileSystem = 'mount -t tmpfs -o size=6m none "$1" && exec "$2" "$3" "$1"';
    const mountPoint = mkdtempSync(join(tmpdir(), "doorward-full-"));
    t.after(() => rmSync(mountPoint, { recursive: true }));
    const shell = ["--user", "--map-root-user", "--mount", "sh", "-c"];
    if (spawnSync("unshare", [...shell, 'mount -t tmpfs none "$1"', "sh", mountPoint]).status !== 0) {
      t.skip("needs a file system of its own (unshare --user --mount)");
      return;
    }
    const filler = fileURLToPath(new URL("./full-disk.child.ts", import.meta.url));
    const run = spawnSync("unshare", [...shell, inOwnFileSystem, "sh", mountPoint, process.execPath, filler], {
      encoding: "utf8",
    });
    assert.equal(run.status, 0, run.stderr);
  });
});

describe("the write-ahead log", () => {
  test("it stays short while writers and readers continue", async (t) => {
    const directory = await makeDirectory(t);
    await (await openDatabase({ directory, warn: () => {} })).close();
    const limits = { copyAbove: 200, waitAbove: 1000 };
    const database = openSqlite(directory, { warn: (message) => assert.fail(message), migrate: () => {}, limits });
    t.after(() => database.close());
    const text = "x".repeat(20_000);
    let isDone = false;
    const read = async (): Promise<void> => {
      while (!isDone) {
        await count(database);
        await new Promise((resolve) => setImmediate(resolve));
      }
    };
    const reading = read();
    const write = async (writer: number): Promise<void> => {
      for (let n = 0; n < 250; n++) await put(database, `${writer}-${n}`, text);
    };
    await Promise.all([1, 2, 3, 4].map(write));
    isDone = true;
    await reading;
    // 1,000 rows of 5 pages and more were written: five times what the log may hold before writers wait.
    const pages = statSync(join(directory, "doorward.db-wal")).size / 4096;
    assert.ok(pages < 2500, `the log has ${Math.round(pages)} pages`);
    assert.equal(await count(database), 1000);
  });

  test("the process does not end while a writer waits for the log to be copied", async (t) => {
    const directory = await makeDirectory(t);
    await (await openDatabase({ directory, warn: () => {} })).close();
    const writer = fileURLToPath(new URL("./long-log.child.ts", import.meta.url));
    const run = spawnSync(process.execPath, [writer, directory], { encoding: "utf8" });
    assert.equal(run.stdout, "done", run.stderr);
  });
});

function descriptorsOf(path: string): number[] {
  return readdirSync("/proc/self/fd")
    .map(Number)
    .sort((a, b) => a - b)
    .filter((descriptor) => {
      try {
        return readlinkSync(`/proc/self/fd/${descriptor}`) === path;
      } catch {
        return false;
      }
    });
}
