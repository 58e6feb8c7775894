import assert from "node:assert/strict";
import { readdirSync, readFileSync, rmSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { test } from "node:test";
import { zstdCompressSync } from "node:zlib";
import { generateMasterKey, parseMasterKey } from "../../src/base/master-key.ts";
import { systemRandom } from "../../src/base/random.ts";
import { sealStream } from "../../src/base/sealed-stream.ts";
import { Secret } from "../../src/base/secret.ts";
import { DirectoryInUse, openDatabase, openSnapshot, type Snapshot, sql } from "../../src/database/index.ts";
import { checkExport, openExport, TransferError, writeExport } from "../../src/domain/transfer/index.ts";
import { eachEngine, makeLocation } from "../support/databases/databases.ts";
import { addPerson } from "../support/people/people.ts";
import { startServer, type TestServer } from "../support/servers/server.ts";
import { exportFrom, fileKey, fileSecret, importInto, inPieces, makeMasterKey, openFile } from "./support/transfer.ts";

async function exportedServer(t: Parameters<typeof startServer>[0]): Promise<{ server: TestServer; file: Buffer }> {
  const server = await startServer(t);
  await addPerson(server, { username: "ada" });
  return { server, file: (await exportFrom(server.location, server.app.domain.vault)).file };
}

const check = async (file: Buffer, secret = fileSecret) => {
  const opened = await openExport(inPieces(file));
  return checkExport(opened.read(secret, () => {}));
};

/** A file with another header, sealed as if it had been written with it. */
async function rewrite(file: Buffer, { header = (line: string) => line, lines = (all: readonly string[]) => all }) {
  const was = await openFile(file);
  const line = header(was.header);
  const { salt } = JSON.parse(line) as { salt: string };
  const content = zstdCompressSync(Buffer.from(`${lines(was.lines).join("\n")}\n`, "utf8"));
  const parts: Uint8Array[] = [Buffer.from(line, "utf8")];
  const seal = { key: fileKey.key, salt: Buffer.from(salt, "base64url"), header: line };
  for await (const part of sealStream(inPieces(content), seal)) parts.push(part);
  return Buffer.concat(parts);
}

const refused = (pattern: RegExp) => (error: unknown) => {
  assert.ok(error instanceof TransferError, String(error));
  assert.match(error.message, pattern);
  return true;
};

test("a file that is damaged in any part, cut off or continued is refused", async (t) => {
  const { file } = await exportedServer(t);
  assert.equal((await check(file)).contents.isWhole, true);
  await assert.rejects(check(Buffer.alloc(0)), refused(/not an export/));
  await assert.rejects(check(Buffer.from("hello\nworld")), refused(/not an export/));
  await assert.rejects(check(Buffer.alloc(1_000_000, "x")), refused(/not an export/));
  await assert.rejects(check(file.subarray(0, 100)), refused(/not an export/));
  const start = file.indexOf("\n") + 1;
  await assert.rejects(check(file.subarray(0, start)), refused(/not complete/));
  for (const end of [start + 1, start + 100, file.length - 1]) {
    await assert.rejects(check(file.subarray(0, end)), refused(/damaged|not complete/), `${end} bytes`);
  }
  for (let at = start; at < file.length; at += 997) {
    const flipped = Buffer.from(file);
    flipped.writeUInt8(flipped.readUInt8(at) ^ 1, at);
    await assert.rejects(check(flipped), refused(/damaged|not complete/), `byte ${at}`);
  }
  await assert.rejects(check(Buffer.concat([file, file])), refused(/damaged/));
  // The first line is readable, and no part of it can be changed.
  const line = file.toString("utf8", 0, start);
  for (const [from, to] of [
    ['"product":"', '"product":"9'],
    ['"createdAt":"', '"createdAt":"9'],
    ['"number":', '"number":1'],
  ] as const) {
    const changed = Buffer.concat([Buffer.from(line.replace(from, to)), file.subarray(start)]);
    await assert.rejects(check(changed), refused(/damaged/), to);
  }
});

test("another key or passphrase is recognized as such, and a short passphrase is refused", async (t) => {
  const { server, file } = await exportedServer(t);
  const other = parseMasterKey(generateMasterKey(systemRandom));
  await assert.rejects(check(file, { kind: "key", key: other }), refused(/not the key file/));
  const passphrase = (text: string) => ({ kind: "passphrase", passphrase: new Secret(text) }) as const;
  await assert.rejects(check(file, passphrase("correct horse battery")), refused(/made with a key file/));
  const secret = passphrase("Grüße aus der Höhle");
  const sealed = await exportFrom(server.location, server.app.domain.vault, { secret });
  // The same text in other characters.
  assert.ok(await check(sealed.file, passphrase("Grüße aus der Höhle".normalize("NFD"))));
  await assert.rejects(check(sealed.file, passphrase("Grüße aus der Hölle")), refused(/not the passphrase/));
  await assert.rejects(check(sealed.file), refused(/made with a passphrase/));
  const short = exportFrom(server.location, server.app.domain.vault, { secret: passphrase("short") });
  await assert.rejects(short, refused(/too short/));
  const costly = sealed.file.toString("latin1").replace(/"memory":\d+/, '"memory":99999999');
  await assert.rejects(check(Buffer.from(costly, "latin1"), secret), refused(/costs too much memory/));
});

test("a file in a newer form, or with other migrations, is refused with what it needs", async (t) => {
  const { file } = await exportedServer(t);
  const location = await makeLocation(t, "sqlite");
  const change = (from: RegExp, to: string) =>
    rewrite(file, {
      header: (line) => {
        assert.match(line, from);
        return line.replace(from, to);
      },
    });
  const load = (changed: Buffer) => importInto(location, changed, makeMasterKey());
  const newerForm = await change(/"format":1/, '"format":2');
  await assert.rejects(load(newerForm), refused(/format 2, and this program reads format 1/));
  const other = (number: number, name: string) =>
    change(/"migration":\{[^}]*\}/, `"migration":{"number":${number},"name":"${name}","digest":"x"}`);
  const newer = await other(9999, "of_tomorrow");
  await assert.rejects(load(newer), refused(/newer than this program: its last migration is 9999 \(of_tomorrow\)/));
  await assert.rejects(load(await other(7, "of_old")), refused(/older than this program: its last migration is 7/));
  assert.ok(await check(newer), "its content can still be checked");
  const last = /"number":(\d+),"name":"(\w+)"/.exec(file.toString("latin1", 0, 2000)) ?? [];
  await assert.rejects(load(await other(Number(last[1]), String(last[2]))), refused(/other migrations/));
});

test("content that its writer did not finish, or counted otherwise, is refused", async (t) => {
  const { file } = await exportedServer(t);
  const location = await makeLocation(t, "sqlite");
  const target = makeMasterKey();
  const isRowOf = (lines: readonly string[], table: string) =>
    lines.findIndex((line) => line.startsWith(`{"table":"${table}"`)) + 1;
  const cases: Readonly<Record<string, (lines: readonly string[]) => readonly string[]>> = {
    "no end": (lines) => lines.slice(0, -1),
    "a row less": (lines) => lines.toSpliced(isRowOf(lines, "users"), 1),
    "a row twice": (lines) => lines.toSpliced(isRowOf(lines, "users"), 0, lines[isRowOf(lines, "users")] ?? ""),
    "a changed value": (lines) => lines.map((line) => (line.startsWith("[") ? line.replace("ada", "eve") : line)),
    "a short row": (lines) => lines.map((line) => (line.startsWith("[") ? `${line.slice(0, 20)}"]` : line)),
    "a value of another type": (lines) => lines.with(isRowOf(lines, "users"), "[true]"),
    "a table less": (lines) => lines.filter((line) => !line.startsWith('{"table":"budgets"')),
    "an unknown line": (lines) => lines.toSpliced(5, 0, '{"rows":1}'),
    "no JSON": (lines) => lines.toSpliced(5, 0, "[1,"),
    "something behind the end": (lines) => [...lines, '["x"]'],
  };
  for (const [what, lines] of Object.entries(cases)) {
    const changed = await rewrite(file, { lines });
    await assert.rejects(importInto(location, changed, target), refused(/damaged|no table/), what);
    const database = await openDatabase({ ...location, warn: () => {} });
    assert.deepEqual(await database.read.all(sql`select 1 as "found" from users`), [], what);
    await database.close();
  }
  await importInto(location, await rewrite(file, {}), target);
});

eachEngine((open, engine) => {
  test("a database with an instance or anything else is refused and stays as it is", async (t) => {
    const { file } = await exportedServer(t);
    const used = await startServer(t, { engine });
    await addPerson(used, { username: "grace" });
    await used.app.close();
    const before = (await exportFrom(used.location, used.app.domain.vault)).digest;
    await assert.rejects(
      importInto(used.location, file, makeMasterKey()),
      refused(/already has instance Doorward \(\d+\)/),
    );
    assert.equal((await exportFrom(used.location, used.app.domain.vault)).digest, before);

    const location = await makeLocation(t, engine);
    const database = await open(t, { at: location });
    await database.touch({ instanceId: "", requestId: "", now: 0, language: "en" }, (tx) =>
      tx.run(sql`insert into features (instance_id, level, flags, sequence, created_at, changed_at)
        values ('', 'system', '{}', 1, 1, 1)`),
    );
    await database.close();
    await assert.rejects(importInto(location, file, makeMasterKey()), refused(/not empty: it has features/));
  });

  test("of two imports at once, one fills the database and the other one changes nothing", async (t) => {
    const { server, file } = await exportedServer(t);
    const { digest } = await exportFrom(server.location, server.app.domain.vault);
    const [location, target] = [await makeLocation(t, engine), makeMasterKey()];
    const outcomes = await Promise.allSettled([1, 2].map(() => importInto(location, file, target)));
    const reasons = outcomes.flatMap((outcome) => (outcome.status === "rejected" ? [String(outcome.reason)] : []));
    assert.equal(reasons.length, 1);
    assert.match(reasons[0] ?? "", /in use by|already has instance/);
    assert.equal((await exportFrom(location, target.vault)).digest, digest);
  });

  test("a server that starts during an import sees all of it, or does not start", async (t) => {
    const { server, file } = await exportedServer(t);
    const [location, target] = [await makeLocation(t, engine), makeMasterKey()];
    const half = Promise.withResolvers<void>();
    const rest = Promise.withResolvers<void>();
    const slow = async function* () {
      yield file.subarray(0, file.length - 1);
      half.resolve();
      await rest.promise;
      yield file.subarray(file.length - 1);
    };
    const importing = importInto(location, slow(), target);
    await half.promise;
    const config = { masterKeys: [target.setting] };
    const starting = startServer(t, { location, config, ownerToken: server.ownerToken }).catch(
      (error: unknown) => error,
    );
    setTimeout(rest.resolve, 1000);
    await importing;
    const started = await starting;
    if (engine === "sqlite") return assert.ok(started instanceof DirectoryInUse);
    assert.ok(!(started instanceof Error), String(started));
    const { rest: call, app } = started as TestServer;
    assert.equal((await call("GET", "/auth/v1/users/me")).status, 200);
    const instances = await app.domain.database.read.all(sql`select instance_id from instances`);
    assert.equal(instances.length, 1);
  });

  test("an import that fails in the middle leaves an empty database, and can be repeated", async (t) => {
    const { server, file } = await exportedServer(t);
    const [location, target] = [await makeLocation(t, engine), makeMasterKey()];
    const interrupted = async function* () {
      yield file.subarray(0, file.length / 2);
      throw new Error("the disk is gone");
    };
    await assert.rejects(importInto(location, interrupted(), target), /the disk is gone/);
    if (location.directory !== undefined) {
      assert.deepEqual(readdirSync(location.directory).toSorted(), ["doorward.db", "doorward.lock"]);
      // What a crash leaves is replaced.
      writeFileSync(join(location.directory, "doorward.db.import"), "half a database");
    }
    const read = await importInto(location, file, target);
    const { digest } = await exportFrom(server.location, server.app.domain.vault);
    assert.equal(read.end.digest, digest);
    assert.equal((await exportFrom(location, target.vault)).digest, digest);
    if (location.directory !== undefined) assert.ok(!readdirSync(location.directory).includes("doorward.db.import"));
  });
});

test("an export that fails in the middle fails with the reason, and what was written is no file", async (t) => {
  const { server } = await exportedServer(t);
  const snapshot = await openSnapshot(server.location);
  t.after(() => snapshot.close());
  const failing: Snapshot = {
    ...snapshot,
    rows: (statement) => {
      if (statement.shape.sqlite.includes("from users")) throw new Error("the database is gone");
      return snapshot.rows(statement);
    },
  };
  const options = { clock: () => 0, random: systemRandom, onProgress: () => {}, secret: fileSecret };
  const given = { vault: server.app.domain.vault, instanceId: undefined, ...options };
  const { bytes } = await writeExport({ snapshot: failing, ...given });
  const parts: Uint8Array[] = [];
  await assert.rejects(async () => {
    for await (const part of bytes) parts.push(part);
  }, /the database is gone/);
  await assert.rejects(check(Buffer.concat(parts)), refused(/not complete|damaged/));
  const newer = { ...snapshot, migrations: [...snapshot.migrations, { number: 9999, name: "x", checksum: "x" }] };
  await assert.rejects(writeExport({ snapshot: newer, ...given }), refused(/does not have the migrations/));
});

test("a data directory that another process uses is refused", async (t) => {
  const { server, file } = await exportedServer(t);
  await assert.rejects(importInto(server.location, file, makeMasterKey()), DirectoryInUse);
  const location = await makeLocation(t, "sqlite");
  const directory = location.directory ?? "";
  // Also while something reads the file that would be replaced: its log would be applied to the new one.
  const database = await openDatabase({ directory, warn: () => {} });
  await database.close();
  const { Connection } = await import("../../src/database/sqlite/connection.ts");
  const reader = new Connection(join(directory, "doorward.db"), { readOnly: false });
  reader.database.exec("begin; select * from migrations");
  try {
    await assert.rejects(importInto(location, file, makeMasterKey()), /database/);
  } finally {
    reader.close();
  }
  // The log of a former database, which somehow lost its file, is not applied to the new one.
  const log = join(directory, "doorward.db-wal");
  const former = await makeLocation(t, "sqlite");
  const writing = await openDatabase({ ...former, warn: () => {} });
  await writing.touch({ instanceId: "", requestId: "", now: 0, language: "en" }, (tx) =>
    tx.run(sql`insert into features (instance_id, level, flags, sequence, created_at, changed_at)
      values ('', 'system', '{}', 1, 1, 1)`),
  );
  const left = readFileSync(join(former.directory ?? "", "doorward.db-wal"));
  assert.ok(left.length > 0);
  await writing.close();
  rmSync(join(directory, "doorward.db"));
  writeFileSync(log, left);
  await importInto(location, file, makeMasterKey());
  const loaded = await openDatabase({ directory, warn: () => {} });
  assert.deepEqual(await loaded.read.all(sql`select 1 as "found" from features`), []);
  await loaded.close();
});
