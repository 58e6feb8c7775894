import assert from "node:assert/strict";
import { globSync } from "node:fs";
import { join } from "node:path";
import { DatabaseSync } from "node:sqlite";
import { test } from "node:test";
import { makeEmptyPostgres, onPostgres } from "../support/databases/databases.ts";
import {
  askCommand,
  type CommandOptions,
  makeDirectory,
  makeStartedDirectory,
  runCommand,
  type ServerProcess,
  startServerProcess,
} from "../support/servers/command.ts";
import { TestBrowser } from "../support/sign-in/test-browser.ts";

/** What the hosted login shows after a name and a password. */
async function signIn(server: ServerProcess, loginName: string, password: string) {
  const browser = new TestBrowser(server);
  const name = await browser.open("/ui/login");
  const asked = await browser.submit(name, { login_name: loginName });
  return browser.submit(asked, { password });
}

const start = (t: Parameters<typeof startServerProcess>[0], options: CommandOptions & { port?: number }) =>
  startServerProcess(t, ["dev"], options);

test("admin create makes an administrator who changes the password at the first sign-in", async (t) => {
  const { directory, port } = await makeStartedDirectory(t);
  const made = await askCommand(t, ["admin", "create", "--email", "anna@example.com"], { in: directory });
  assert.equal(made.loginName, "anna@doorward.localhost");
  assert.equal(made.isPasswordChangeRequired, true);

  const again = await start(t, { in: directory, port });
  assert.equal(again.ready.setup, undefined, "there is an administrator, and a setup link");
  assert.match((await signIn(again, "anna@example.com", made.password)).title, /[Cc]hange|[Nn]ew password/);
  assert.ok((await signIn(again, "anna", "not the password at all")).alert);
  await again.stop();
});

test("admin create takes a password of the user's own, from standard input and never from the command line", async (t) => {
  const { directory, port } = await makeStartedDirectory(t);
  const args = ["admin", "create", "--email", "anna@example.com", "--username", "chief", "--password-file", "-"];
  const password = "correct horse battery";
  const { code, stdout, stderr } = await runCommand(t, [...args, "--no-password-change"], {
    in: directory,
    input: `${password}\n`,
  });
  assert.equal(code, 0, stderr);
  assert.match(stdout, /chief@doorward\.localhost now owns the instance/);
  assert.ok(!(stdout + stderr).includes(password), "the password was printed");
  const again = await start(t, { in: directory, port });
  assert.doesNotMatch((await signIn(again, "chief", password)).html, /autocomplete="(current|new)-password"/);
  await again.stop();

  const short = await runCommand(t, ["admin", "create", "--email", "b@example.com", "--password-file", "-"], {
    in: directory,
    input: "short",
  });
  assert.equal(short.code, 1);
  assert.match(short.stderr, /12/, "the rule that was broken is not named");
});

test("admin recover lets an administrator in again with another password", async (t) => {
  const { directory, port } = await makeStartedDirectory(t);
  const made = await askCommand(t, ["admin", "create", "--email", "anna@example.com"], { in: directory });
  const found = await askCommand(t, ["admin", "recover", "--login-name", "anna@example.com"], { in: directory });
  assert.equal(found.userId, made.userId);
  const again = await start(t, { in: directory, port });
  assert.ok((await signIn(again, "anna", made.password)).alert, "the lost password still works");
  assert.match((await signIn(again, "anna", found.password)).title, /[Cc]hange|[Nn]ew password/);
  await again.stop();
  const unknown = await runCommand(t, ["admin", "recover", "--login-name", "nobody"], { in: directory });
  assert.equal(unknown.code, 1);
  assert.doesNotMatch(unknown.stderr, /\bat .*\.ts:\d+/);
});

test("doctor finds login settings that lock every user out, and admin recover mends them (U3)", async (t) => {
  const { directory, port } = await makeStartedDirectory(t);
  await askCommand(t, ["admin", "create", "--email", "anna@example.com"], { in: directory });
  const [file = ""] = globSync("**/doorward.db", { cwd: join(directory, ".doorward") });
  const database = new DatabaseSync(join(directory, ".doorward", file));
  database.exec(
    `update settings set document = '{"forceMfa":true,"allowLocalAuthentication":false}' where kind = 'login'`,
  );
  database.close();
  const doctor = async () => (await runCommand(t, ["doctor", "--json"], { in: directory })).stdout;
  assert.match(await doctor(), /no user of instance \d+ can sign in.*--reset-login-settings/s);
  const recover = ["admin", "recover", "--login-name", "anna@example.com"];
  await askCommand(t, recover, { in: directory });
  assert.match(await doctor(), /no user of instance/);
  const found = await askCommand(t, [...recover, "--reset-login-settings"], { in: directory });
  assert.doesNotMatch(await doctor(), /no user of instance/);
  const again = await start(t, { in: directory, port });
  assert.match((await signIn(again, "anna", found.password)).title, /[Cc]hange|[Nn]ew password/);
  await again.stop();
});

test("admin recover lets an administrator in who has lost the second factors, when it is asked to (U4)", async (t) => {
  const { directory, port } = await makeStartedDirectory(t);
  await askCommand(t, ["admin", "create", "--email", "anna@example.com"], { in: directory });
  const [file = ""] = globSync("**/doorward.db", { cwd: join(directory, ".doorward") });
  const database = new DatabaseSync(join(directory, ".doorward", file));
  for (const kind of ["totp", "recovery_codes"]) {
    database
      .prepare(
        `insert into user_factors (instance_id, user_id, kind, state, failed_checks, ready_at, created_at, changed_at)
          select instance_id, user_id, ?, 'ready', 0, 1, 1, 1 from users where username = 'anna'`,
      )
      .run(kind);
  }
  database.close();
  const recover = ["admin", "recover", "--login-name", "anna@example.com"];
  const first = await askCommand(t, recover, { in: directory });
  const before = await start(t, { in: directory, port });
  assert.match((await signIn(before, "anna", first.password)).title, /code from your app/, "they are still demanded");
  await before.stop();
  const found = await askCommand(t, [...recover, "--remove-second-factors"], { in: directory });
  const again = await start(t, { in: directory, port });
  assert.match((await signIn(again, "anna", found.password)).title, /[Cc]hange|[Nn]ew password/);
  await again.stop();
});

test("admin setup-link replaces the link before, until there is an administrator", async (t) => {
  const { directory, port, setup: former } = await makeStartedDirectory(t);
  const onPort = ["--port", String(port)];
  const { setup } = await askCommand(t, ["admin", "setup-link", ...onPort], { in: directory });
  assert.match(setup, new RegExp(`^http://localhost:${port}/ui/setup#[\\w-]{43}$`));
  assert.notEqual(setup, former);
  await askCommand(t, ["admin", "create", "--email", "anna@example.com"], { in: directory });
  const { code, stderr } = await runCommand(t, ["admin", "setup-link", ...onPort], { in: directory });
  assert.equal(code, 1);
  assert.match(stderr, /already been an administrator[\s\S]*admin recover/);
});

test("admin token makes a service account of the operator, whose token alone is on standard output (U2)", async (t) => {
  const { directory, port } = await makeStartedDirectory(t);
  const args = ["admin", "token", "--username", "provisioning"];
  const { code, stdout, stderr } = await runCommand(t, args, { in: directory });
  assert.equal(code, 0, stderr);
  assert.match(stdout, /^dwp_\S+\n$/);
  assert.match(stderr, /provisioning owns the instance/);
  const taken = await runCommand(t, args, { in: directory });
  assert.deepEqual([taken.code, taken.stdout], [1, ""]);
  for (const days of ["0", "366", "1.5", "x"]) {
    const refused = await runCommand(t, ["admin", "token", "--username", "other", "--days", days], { in: directory });
    assert.deepEqual([refused.code, refused.stdout], [1, ""], days);
  }
  const again = await start(t, { in: directory, port });
  assert.notEqual(again.ready.setup, undefined, "it is no human administrator");
  const environment = { DOORWARD_TOKEN: stdout.trim() };
  const made = await askCommand(t, ["app", "create", "shop", "--server", again.origin], { in: directory, environment });
  assert.match(made.clientId, /^\d+$/);
  await again.stop();
});

test("commands on the host say what to do while the server has the data, and make no data where there are none", async (t) => {
  const directory = makeDirectory(t);
  const server = await start(t, { in: directory });
  const taken = await runCommand(t, ["admin", "create", "--email", "anna@example.com"], { in: directory });
  assert.equal(taken.code, 1);
  assert.match(
    taken.stderr,
    new RegExp(`in use by process ${server.child.pid}[\\s\\S]*DOORWARD_DATA_DIR.*stop the server`),
  );
  await server.stop();

  const empty = makeDirectory(t);
  const nothing = await runCommand(t, ["admin", "create", "--email", "anna@example.com"], { in: empty });
  assert.equal(nothing.code, 1);
  assert.match(nothing.stderr, /no Doorward data in .*[\s\S]*DOORWARD_DATA_DIR/);
  assert.match(
    (await runCommand(t, ["admin", "recover", "--login-name", "a"], { in: empty })).stderr,
    /no Doorward data/,
  );
  const wrong = { DOORWARD_MASTER_KEY: Buffer.alloc(32, "0123456789abcdef").toString("base64") };
  const other = await runCommand(t, ["admin", "recover", "--login-name", "a"], { in: directory, environment: wrong });
  assert.match(other.stderr, /DOORWARD_MASTER_KEY is not the master key of this data/);
});

onPostgres(() => {
  test("commands on the host work beside a server on PostgreSQL", async (t) => {
    const directory = makeDirectory(t);
    const environment = { DOORWARD_DATABASE_URL: await makeEmptyPostgres(t) };
    const empty = await runCommand(t, ["admin", "setup-link"], { in: directory, environment });
    assert.match(empty.stderr, /no Doorward data in this database[\s\S]*DOORWARD_DATABASE_URL/);
    const server = await start(t, { in: directory, environment });
    const made = await askCommand(t, ["admin", "create", "--email", "anna@example.com"], {
      in: directory,
      environment,
    });
    assert.match((await signIn(server, "anna", made.password)).title, /[Cc]hange|[Nn]ew password/);
    await server.stop();
  });
});
