import assert from "node:assert/strict";
import { randomBytes } from "node:crypto";
import { chmodSync, existsSync, readdirSync, readFileSync, statSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { after, test } from "node:test";
import type { Ending } from "../support/databases/databases.ts";
import { fetch } from "../support/http/fetch.ts";
import {
  askCommand,
  type CommandOptions,
  makeDirectory,
  type Outcome,
  type RunningCommand,
  runCommand,
  type ServerProcess,
  startCommand,
  startServerProcess,
} from "../support/servers/command.ts";
import { type ShownPage, TestBrowser } from "../support/sign-in/test-browser.ts";

const password = "correct horse battery";

/** A server as in production, whose administrator is `root`. */
async function startProduction(
  t: Ending,
  environment: Readonly<Record<string, string>> = {},
): Promise<{ readonly server: ServerProcess; readonly options: CommandOptions }> {
  const server = await startServerProcess(t, ["start"], {
    in: makeDirectory(t),
    environment: {
      DOORWARD_MASTER_KEY: randomBytes(32).toString("base64"),
      DOORWARD_BOOTSTRAP_ADMIN_USERNAME: "root",
      DOORWARD_BOOTSTRAP_ADMIN_PASSWORD: password,
      DOORWARD_BOOTSTRAP_ADMIN_PASSWORD_CHANGE: "false",
      ...environment,
    },
  });
  const directory = makeDirectory(t);
  return { server, options: { in: directory, environment: { HOME: directory } } };
}

const endings: (() => unknown)[] = [];
after(async () => {
  for (const end of endings) await end();
});
let shared: Promise<ServerProcess> | undefined;

/** A home of its own, at the server that tests share. */
async function share(t: Ending): Promise<{ readonly server: ServerProcess; readonly options: CommandOptions }> {
  shared ??= startProduction({ after: (end) => void endings.push(end as () => unknown) }).then(({ server }) => server);
  const directory = makeDirectory(t);
  return { server: await shared, options: { in: directory, environment: { HOME: directory } } };
}

const files = ({ in: home = "" }: CommandOptions): string => join(home, ".config/doorward/logins");
const fileOf = (options: CommandOptions, server: ServerProcess): string =>
  join(files(options), `${encodeURIComponent(server.origin)}.json`);

const readSaved = (options: CommandOptions, server: ServerProcess) =>
  JSON.parse(readFileSync(fileOf(options, server), "utf8")) as { accessToken: string; refreshToken: string };

/** Goes through the hosted login until it asks for consent. */
async function walkToQuestion(browser: TestBrowser, address: string): Promise<ShownPage> {
  const first = await browser.open(address);
  if (first.address.startsWith("/ui/login/consent")) return first;
  const named = await browser.submit(first, { login_name: "root" });
  return browser.submit(named, { password });
}

/** Answers the question, and brings the answer to the command that waits. */
async function decide(browser: TestBrowser, question: ShownPage, decision: "allow" | "deny"): Promise<string> {
  const left = await browser.submit(question, { decision });
  assert.match(left.address, /^http:\/\/127\.0\.0\.1:\d+\/callback\?/, left.html);
  return (await fetch(left.address)).text();
}

/** Signs in as a user does: the command waits, and a browser goes through the pages. */
async function signIn(
  t: Ending,
  { server, options }: { readonly server: ServerProcess; readonly options: CommandOptions },
  ...rest: string[]
): Promise<Outcome> {
  const command = startCommand(t, ["login", server.origin, "--no-browser", ...rest], options);
  const browser = new TestBrowser(server);
  await decide(browser, await walkToQuestion(browser, await addressOf(command)), "allow");
  const outcome = await command.ended;
  assert.equal(outcome.code, 0, outcome.stderr);
  return outcome;
}

const addressOf = async (command: RunningCommand): Promise<string> => {
  const { pathname, search } = new URL(await command.printed(/^ {2}(http:\S+)$/m));
  return pathname + search;
};

test("a production server is used from the command line by its administrator: login, application, token, logout (U2)", async (t) => {
  const { server, options } = await share(t);
  const command = startCommand(t, ["login", server.origin, "--no-browser"], options);
  const browser = new TestBrowser(server);
  const question = await walkToQuestion(browser, await addressOf(command));
  assert.match(question.html, /Doorward command line/);
  assert.match(question.html, /Only allow access if you have just run “doorward login” yourself/);
  assert.match(question.html, /change your account and everything you administer here/);
  assert.match(await decide(browser, question, "allow"), /You are signed in/);
  const { code, stdout } = await command.ended;
  assert.deepEqual([code, stdout], [0, `Signed in to ${server.origin} as root@doorward.localhost.\n`]);

  const file = fileOf(options, server);
  assert.deepEqual([statSync(file).mode & 0o777, statSync(files(options)).mode & 0o777], [0o600, 0o700]);
  assert.deepEqual(readdirSync(files(options)).length, 1, "nothing else is left behind");

  const at = ["--server", server.origin];
  const made = await askCommand(t, ["app", "create", "shop", ...at], options);
  assert.match(made.clientId, /^\d+$/);
  const { applications } = await askCommand(t, ["app", "list"], options);
  assert.ok(
    applications.some((one: { name: string }) => one.name === "shop"),
    "the only login needs no --server",
  );
  const renamed = await runCommand(t, ["app", "update", made.clientId, "--name", "store", ...at], options);
  assert.equal(renamed.code, 0, renamed.stderr);
  writeFileSync(join(options.in ?? "", "people.csv"), "userName,email\neve,eve@acme.test\n");
  const map = ["--map", "username=userName", "email=email"];
  const imported = await askCommand(t, ["user", "import", "people.csv", "--from", "csv", ...map, ...at], options);
  assert.deepEqual([imported.created, imported.failed], [1, 0]);

  const printed = await runCommand(t, ["token", ...at], options);
  const token = printed.stdout.trim();
  assert.equal(printed.stdout, `${token}\n`, "standard output is the token alone");
  assert.equal(await statusOf(server, token), 200);

  const out = await runCommand(t, ["logout"], options);
  assert.deepEqual([out.code, out.stdout], [0, `Signed out of ${server.origin}.\n`]);
  assert.ok(!existsSync(file));
  assert.equal(await statusOf(server, token), 401, "the server has revoked the token");
  const after_ = await runCommand(t, ["app", "list", ...at], options);
  assert.deepEqual([after_.code, after_.stdout], [1, ""]);
  assert.match(after_.stderr, /there is no token for http[\s\S]*doorward login/);
});

const statusOf = async ({ origin }: ServerProcess, token: string): Promise<number> =>
  (
    await fetch(`${origin}/v2/users`, {
      method: "POST",
      headers: { authorization: `Bearer ${token}`, "content-type": "application/json" },
      body: "{}",
    })
  ).status;

test("each sign-in of the command line is asked for, also of a browser that is signed in and has allowed one (U2)", async (t) => {
  const { server, options } = await share(t);
  const browser = new TestBrowser(server);
  for (const attempt of [1, 2]) {
    const command = startCommand(t, ["login", server.origin, "--no-browser"], options);
    const question = await walkToQuestion(browser, await addressOf(command));
    assert.match(question.address, /^\/ui\/login\/consent/, `attempt ${attempt}`);
    await decide(browser, question, "allow");
    assert.equal((await command.ended).code, 0);
  }
  const refused = startCommand(t, ["login", server.origin, "--no-browser"], options);
  const page = await decide(browser, await walkToQuestion(browser, await addressOf(refused)), "deny");
  assert.match(page, /You are not signed in/);
  const { code, stderr } = await refused.ended;
  assert.equal(code, 1);
  assert.match(stderr, /access_denied/);
});

test("an access token is renewed when a command needs it, and commands at the same time renew it once (U2)", async (t) => {
  const { server, options } = await share(t);
  await signIn(t, { server, options });
  const before = readSaved(options, server);
  writeFileSync(fileOf(options, server), JSON.stringify({ ...before, expiresAt: 0 }));
  const at = ["token", "--server", server.origin];
  const outcomes = await Promise.all([1, 2, 3].map(() => runCommand(t, at, options)));
  const tokens = new Set(outcomes.map(({ stdout, stderr }) => stdout.trim() || stderr));
  assert.equal(tokens.size, 1, [...tokens].join("\n"));
  const [token = ""] = tokens;
  assert.notEqual(token, before.accessToken);
  assert.equal(await statusOf(server, token), 200);
  assert.notEqual(readSaved(options, server).refreshToken, before.refreshToken, "refresh tokens rotate");

  // A copy of the file that is used ends the login for both, and the commands say so.
  writeFileSync(fileOf(options, server), JSON.stringify({ ...before, expiresAt: 0 }));
  const stolen = await runCommand(t, at, options);
  assert.deepEqual([stolen.code, stolen.stdout], [1, ""]);
  assert.match(stolen.stderr, /has ended[\s\S]*sign in again: doorward login/);
  assert.equal(await statusOf(server, token), 401);
  assert.ok(!existsSync(fileOf(options, server)));
});

test("several servers are side by side, and no command guesses between them (U2)", async (t) => {
  const { server, options } = await share(t);
  const second = await startProduction(t);
  await signIn(t, { server, options });
  await signIn(t, { server: second.server, options });
  const { logins } = await askCommand(t, ["login", "--list"], options);
  assert.deepEqual(
    logins.map((one: { server: string }) => one.server).toSorted(),
    [server.origin, second.server.origin].toSorted(),
  );
  const unclear = await runCommand(t, ["app", "list"], options);
  assert.equal(unclear.code, 1);
  assert.match(unclear.stderr, /signed in to several servers[\s\S]*--server/);
  const name = `only here ${second.server.port}`;
  await askCommand(t, ["app", "create", name, "--server", second.server.origin], options);
  const listed = await runCommand(t, ["app", "list", "--server", server.origin], options);
  assert.equal(listed.code, 0, listed.stderr);
  assert.ok(!listed.stdout.includes(name));
  const chosen = { ...options, environment: { ...options.environment, DOORWARD_BASE_URL: second.server.origin } };
  assert.ok((await runCommand(t, ["app", "list"], chosen)).stdout.includes(name), "DOORWARD_BASE_URL chooses");
  assert.equal((await runCommand(t, ["logout", "--all"], options)).code, 0);
  assert.deepEqual(readdirSync(files(options)), []);
});

test("a machine without a browser signs in by a code, and is told apart on the page that asks (U2)", async (t) => {
  const { server, options } = await share(t);
  const command = startCommand(t, ["login", server.origin, "--device"], options);
  const userCode = await command.printed(/enter the code\n {2}(\S+)/);
  const browser = new TestBrowser(server);
  const entered = await browser.submit(await browser.open("/device"), { user_code: userCode });
  const named = await browser.submit(entered, { login_name: "root" });
  const question = await browser.submit(named, { password });
  assert.match(question.html, /Doorward command line/);
  assert.match(question.html, /the sender may be trying to get into your account/);
  await browser.submit(question, { decision: "allow" });
  const { code, stderr } = await command.ended;
  assert.equal(code, 0, stderr);
  assert.equal((await runCommand(t, ["app", "list"], options)).code, 0);
});

test("a sign-in that may only read changes nothing, whatever its user may (U2)", async (t) => {
  const { server, options } = await share(t);
  await signIn(t, { server, options }, "--read-only");
  assert.equal((await runCommand(t, ["app", "list"], options)).code, 0);
  const { code, stderr } = await runCommand(t, ["app", "create", "never"], options);
  assert.equal(code, 1, stderr);
});

test("a file that others can read, a link, and a file of another server are no login (U2)", async (t) => {
  const { server, options } = await share(t);
  await signIn(t, { server, options });
  const [file, at] = [fileOf(options, server), ["token", "--server", server.origin]];
  chmodSync(file, 0o640);
  const open = await runCommand(t, at, options);
  assert.deepEqual([open.code, open.stdout], [1, ""]);
  assert.match(open.stderr, /is open to other users of this machine[\s\S]*chmod go-rwx/);
  chmodSync(file, 0o600);
  chmodSync(files(options), 0o777);
  assert.match((await runCommand(t, at, options)).stderr, /is open to other users/);
  chmodSync(files(options), 0o700);
  assert.equal((await runCommand(t, at, options)).code, 0);

  const elsewhere = "http://127.0.0.1:1";
  writeFileSync(join(files(options), `${encodeURIComponent(elsewhere)}.json`), readFileSync(file), { mode: 0o600 });
  const moved = await runCommand(t, ["token", "--server", elsewhere], options);
  assert.match(moved.stderr, /you are not signed in to/, "tokens go to the server that issued them alone");
});

test("login refuses servers without TLS, servers that call themselves otherwise, and those that turned it off (U2)", async (t) => {
  const { server, options } = await share(t);
  const plain = await runCommand(t, ["login", "http://id.example.com"], options);
  assert.match(plain.stderr, /is not an address to sign in at[\s\S]*https/);
  const otherName = await runCommand(t, ["login", `http://127.0.0.1:${server.port}`], options);
  assert.equal(otherName.code, 1);
  const off = await startProduction(t, { DOORWARD_COMMAND_LINE: "false" });
  const refused = await runCommand(t, ["login", off.server.origin], off.options);
  assert.equal(refused.code, 1);
  assert.match(refused.stderr, /lets no command line sign in[\s\S]*DOORWARD_COMMAND_LINE/);
  const here = await startProduction(t, { DOORWARD_COMMAND_LINE: "browser" });
  const device = await runCommand(t, ["login", here.server.origin, "--device"], here.options);
  assert.match(device.stderr, /lets no other device sign in/);
  assert.ok(!existsSync(files(here.options)) || readdirSync(files(here.options)).length === 0);
});
