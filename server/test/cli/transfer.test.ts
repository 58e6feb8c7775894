import assert from "node:assert/strict";
import { existsSync, readdirSync, readFileSync, statSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { test } from "node:test";
import { generateMasterKey } from "../../src/base/master-key.ts";
import { systemRandom } from "../../src/base/random.ts";
import { makeEmptyPostgres, onPostgres } from "../support/databases/databases.ts";
import {
  askCommand,
  type CommandOptions,
  makeDirectory,
  makeStartedDirectory,
  runCommand,
  startServerProcess,
} from "../support/servers/command.ts";
import { TestBrowser } from "../support/sign-in/test-browser.ts";

/** A directory in which `dev` ran and Anna is an administrator, with a key for exports. */
async function makeSource(t: Parameters<typeof makeDirectory>[0]) {
  const { directory, port } = await makeStartedDirectory(t);
  const anna = await askCommand(t, ["admin", "create", "--email", "anna@example.com"], { in: directory });
  writeFileSync(join(directory, "export.key"), `${generateMasterKey(systemRandom)}\n`);
  return { directory, port, password: anna.password as string };
}

const dataIn = (directory: string): string => join(directory, ".doorward");

test("an installation moves by export and import, and its users sign in as before", async (t) => {
  const { directory, port, password } = await makeSource(t);
  const options = { in: directory };
  const made = await askCommand(t, ["export", "--output", "moved.export", "--key-file", "export.key"], options);
  assert.equal(made.rows.users, 1);
  assert.equal(made.isWhole, true);
  const file = join(directory, "moved.export");
  assert.equal(statSync(file).mode & 0o777, 0o600);
  const bytes = readFileSync(file);
  assert.ok(!bytes.includes("anna") && bytes.subarray(0, 30).includes('{"type":"doorward export"'));

  // Elsewhere, with another master key.
  const target = makeDirectory(t);
  writeFileSync(join(target, "export.key"), readFileSync(join(directory, "export.key")));
  const checked = await askCommand(t, ["import", file, "--check", "--key-file", "export.key"], { in: target });
  assert.deepEqual([checked.digest, checked.rows, checked.isImportable], [made.digest, made.rows, true]);
  assert.ok(!existsSync(dataIn(target)), "a check writes nothing");
  const { code, stdout, stderr } = await runCommand(t, ["import", file, "--key-file", "export.key"], { in: target });
  assert.equal(code, 0, stderr);
  assert.match(stdout, /^Imported .*: [\d,]+ rows, exported on /);
  assert.match(stderr, /encrypted under the master key in .*master\.key; the server needs this key/);
  assert.notEqual(
    readFileSync(join(dataIn(target), "master.key"), "utf8"),
    readFileSync(join(dataIn(directory), "master.key"), "utf8"),
  );
  assert.deepEqual(readdirSync(dataIn(target)).toSorted(), ["doorward.db", "doorward.lock", "master.key"]);
  assert.equal(statSync(join(dataIn(target), "doorward.db")).mode & 0o777, 0o600);
  const again = await askCommand(t, ["export", "--output", "again.export", "--key-file", "export.key"], { in: target });
  assert.equal(again.digest, made.digest);

  const server = await startServerProcess(t, ["dev"], { in: target, port });
  const browser = new TestBrowser(server);
  const asked = await browser.submit(await browser.open("/ui/login"), { login_name: "anna@example.com" });
  assert.match((await browser.submit(asked, { password })).title, /[Cc]hange|[Nn]ew password/);

  // Beside the server an export is possible, and an import is not.
  const beside = await askCommand(t, ["export", "--output", "beside.export", "--key-file", "export.key"], {
    in: target,
  });
  assert.ok(beside.rows.events >= made.rows.events);
  const running = await runCommand(t, ["import", file, "--key-file", "export.key"], { in: target });
  assert.equal(running.code, 1);
  assert.match(running.stderr, /in use by process \d+/);
  await server.stop();
  const used = await runCommand(t, ["import", file, "--key-file", "export.key"], { in: target });
  assert.equal(used.code, 1);
  assert.match(used.stderr, /already has instance/);
});

test("an export never replaces a file unless it is told to, and leaves nothing when it fails", async (t) => {
  const { directory } = await makeSource(t);
  const run = (args: readonly string[], options: CommandOptions = {}) =>
    runCommand(t, ["export", ...args], { in: directory, ...options });
  writeFileSync(join(directory, "mine"), "mine");
  const refused = await run(["--output", "mine", "--key-file", "export.key"]);
  assert.equal(refused.code, 1);
  assert.match(refused.stderr, /already exists[\s\S]*--overwrite/);
  assert.equal(readFileSync(join(directory, "mine"), "utf8"), "mine");
  assert.equal((await run(["--output", "mine", "--key-file", "export.key", "--overwrite"])).code, 0);
  assert.notEqual(readFileSync(join(directory, "mine"), "utf8"), "mine");

  const before = readdirSync(directory).toSorted();
  const cases: readonly (readonly [string, readonly string[], CommandOptions, RegExp])[] = [
    ["no key", [], {}, /neither a key nor a passphrase/],
    ["no such key", ["--key-file", "absent"], {}, /absent/],
    ["no key in it", ["--key-file", "mine"], {}, /is not a key[\s\S]*openssl rand/],
    ["both", ["--key-file", "export.key", "--passphrase-file", "-"], { input: "x" }, /a key and a passphrase/],
    ["a short passphrase", ["--passphrase-file", "-"], { input: "hunter2\n" }, /16 characters at least/],
    ["no such instance", ["--key-file", "export.key", "--instance", "77"], {}, /has no instance 77/],
    [
      "another master key",
      ["--key-file", "export.key"],
      { environment: { DOORWARD_MASTER_KEY: generateMasterKey(systemRandom) } },
      /DOORWARD_MASTER_KEY is not the master key/,
    ],
    ["no data", ["--key-file", "export.key", "--data-dir", "elsewhere"], {}, /no Doorward data in .*elsewhere/],
  ];
  for (const [what, args, options, pattern] of cases) {
    const outcome = await run(["--output", "out", ...args], options);
    assert.ok(outcome.code === 1 || outcome.code === 2, what);
    assert.match(outcome.stderr, pattern, what);
    assert.doesNotMatch(outcome.stderr, /hunter2|\bat .*\.ts:\d+/, what);
  }
  assert.deepEqual(readdirSync(directory).toSorted(), before);
  writeFileSync(join(directory, "out.part"), "half");
  const interrupted = await run(["--output", "out", "--key-file", "export.key"]);
  assert.match(interrupted.stderr, /out\.part exists: another export writes it, or one was interrupted/);
});

test("a passphrase protects a file as a key does", async (t) => {
  const { directory } = await makeSource(t);
  const passphrase = "a passphrase of more than sixteen";
  const give = { in: directory, input: `${passphrase}\n` };
  const made = await askCommand(t, ["export", "--output", "p.export", "--passphrase-file", "-"], give);
  assert.ok(!readFileSync(join(directory, "p.export")).includes(passphrase));
  const check = ["import", "p.export", "--check", "--passphrase-file", "-"];
  assert.equal((await askCommand(t, check, give)).digest, made.digest);
  const wrong = await runCommand(t, check, { in: directory, input: "another passphrase of more" });
  assert.equal(wrong.code, 1);
  assert.match(wrong.stderr, /this is not the passphrase/);
  const other = await runCommand(t, ["import", "p.export", "--check", "--key-file", "export.key"], { in: directory });
  assert.match(other.stderr, /made with a passphrase, and not with a key file[\s\S]*--passphrase-file/);
  const none = await runCommand(t, ["import", "absent", "--check", "--key-file", "export.key"], { in: directory });
  assert.match(none.stderr, /there is no file absent/);
});

onPostgres(() => {
  test("an installation outgrows the embedded database, and comes back", async (t) => {
    const { directory, port } = await makeSource(t);
    const made = await askCommand(t, ["export", "--output", "1", "--key-file", "export.key"], { in: directory });
    const [url, masterKey] = [await makeEmptyPostgres(t), generateMasterKey(systemRandom)];
    const environment = { DOORWARD_DATABASE_URL: url, DOORWARD_MASTER_KEY: masterKey };
    const there = { in: directory, environment };
    const moved = await askCommand(t, ["import", "1", "--key-file", "export.key"], there);
    assert.equal(moved.digest, made.digest);
    const second = await askCommand(t, ["export", "--output", "2", "--key-file", "export.key"], there);
    assert.equal(second.digest, made.digest);
    const server = await startServerProcess(t, ["dev"], { ...there, port });
    assert.equal(server.ready.setup, undefined, "there is an administrator, and a setup link");
    // Other nodes would go on with another database.
    const used = await runCommand(t, ["import", "1", "--key-file", "export.key"], there);
    assert.match(used.stderr, /already has instance/);
    await server.stop();
    const home = makeDirectory(t);
    const back = await askCommand(t, ["import", join(directory, "2"), "--key-file", join(directory, "export.key")], {
      in: home,
    });
    assert.equal(back.digest, made.digest);
  });
});
