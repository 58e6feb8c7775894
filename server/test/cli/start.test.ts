import assert from "node:assert/strict";
import { randomBytes } from "node:crypto";
import { once } from "node:events";
import { mkdirSync, writeFileSync } from "node:fs";
import { createServer } from "node:net";
import { join } from "node:path";
import { test } from "node:test";
import { fetch } from "../support/http/fetch.ts";
import { makeDirectory, runCommand, startServerProcess } from "../support/servers/command.ts";

const masterKey = randomBytes(32).toString("base64");
const good = { DOORWARD_MASTER_KEY: masterKey, DOORWARD_BASE_URL: "https://id.example.com" };

const refusals: readonly {
  readonly what: string;
  readonly environment: Readonly<Record<string, string>>;
  readonly says: RegExp;
}[] = [
  { what: "without a base URL", environment: { ...good, DOORWARD_BASE_URL: "" }, says: /DOORWARD_BASE_URL is missing/ },
  {
    what: "with a base URL without TLS",
    environment: { ...good, DOORWARD_BASE_URL: "http://id.example.com" },
    says: /DOORWARD_BASE_URL is http:\/\/id\.example\.com, without TLS[\s\S]*use https/,
  },
  {
    what: "with a base URL without TLS whose name only begins like a loopback address",
    environment: { ...good, DOORWARD_BASE_URL: "http://127.example.com" },
    says: /DOORWARD_BASE_URL is http:\/\/127\.example\.com, without TLS[\s\S]*use https/,
  },
  {
    what: "with a base URL that has a path",
    environment: { ...good, DOORWARD_BASE_URL: "https://example.com/id" },
    says: /DOORWARD_BASE_URL is not an origin/,
  },
  {
    what: "without a master key",
    environment: { ...good, DOORWARD_MASTER_KEY: "" },
    says: /DOORWARD_MASTER_KEY is missing[\s\S]*DOORWARD_MASTER_KEY_FILE[\s\S]*openssl rand/,
  },
  {
    what: "with a master key that is too short",
    environment: { ...good, DOORWARD_MASTER_KEY: "c2hvcnQ=" },
    says: /DOORWARD_MASTER_KEY cannot be used[\s\S]*5 bytes/,
  },
  {
    what: "with a file of a master key that is not there",
    environment: { ...good, DOORWARD_MASTER_KEY: "", DOORWARD_MASTER_KEY_FILE: "/nowhere/key" },
    says: /DOORWARD_MASTER_KEY_FILE names \/nowhere\/key/,
  },
  {
    what: "with several processes on the embedded database",
    environment: { ...good, DOORWARD_WORKERS: "2" },
    says: /DOORWARD_WORKERS is more than 1[\s\S]*DOORWARD_DATABASE_URL/,
  },
  {
    what: "with a database that is none of ours",
    environment: { ...good, DOORWARD_DATABASE_URL: "mysql://localhost/x" },
    says: /DOORWARD_DATABASE_URL is not a PostgreSQL address/,
  },
  {
    what: "with a database that does not answer",
    environment: { ...good, DOORWARD_DATABASE_URL: "postgres://somebody:hidden-password@127.0.0.1:1/doorward" },
    says: /does not answer[\s\S]*DOORWARD_DATABASE_URL[\s\S]*PostgreSQL runs/,
  },
  {
    what: "with a proxy in one zone, because its address would be trusted in all of them",
    environment: { ...good, DOORWARD_TRUSTED_PROXIES: "fe80::1%eth0" },
    says: /DOORWARD_TRUSTED_PROXIES has fe80::1%eth0, which is no network/,
  },
  {
    what: "with a proxy that is no network",
    environment: { ...good, DOORWARD_TRUSTED_PROXIES: "10.0.0.0/99" },
    says: /DOORWARD_TRUSTED_PROXIES has 10\.0\.0\.0\/99/,
  },
  {
    what: "with an administrator who has no password",
    environment: { ...good, DOORWARD_BOOTSTRAP_ADMIN_USERNAME: "root" },
    says: /DOORWARD_BOOTSTRAP_ADMIN_PASSWORD is missing/,
  },
  {
    what: "on a port that is no number",
    environment: { ...good, DOORWARD_PORT: "http" },
    says: /DOORWARD_PORT is out of range/,
  },
];

for (const { what, environment, says } of refusals) {
  test(`start refuses to run ${what}, and names the setting`, async (t) => {
    const { code, stdout, stderr } = await runCommand(t, ["start"], { in: makeDirectory(t), environment });
    assert.notEqual(code, 0);
    assert.match(stderr, says);
    assert.equal(stdout, "");
    assert.doesNotMatch(stderr, /hidden-password|\bat .*\.ts:\d+/, "a secret or a stack trace was printed");
  });
}

test("start refuses the master key of other data, and does not wait for the first token to say so", async (t) => {
  const directory = makeDirectory(t);
  const server = await startServerProcess(t, ["start"], {
    in: directory,
    environment: { DOORWARD_MASTER_KEY: masterKey, DOORWARD_HOST: "127.0.0.1" },
  });
  await server.stop();
  const other = randomBytes(32).toString("base64");
  const environment = { DOORWARD_BASE_URL: server.origin, DOORWARD_PORT: String(server.port) };
  const run = (key: string) =>
    runCommand(t, ["start"], { in: directory, environment: { ...environment, DOORWARD_MASTER_KEY: key } });
  const { code, stderr } = await run(other);
  assert.equal(code, 2);
  assert.match(stderr, /DOORWARD_MASTER_KEY is not the master key of this data/);

  const both = { DOORWARD_MASTER_KEY: `${other},${masterKey}`, DOORWARD_HOST: "127.0.0.1" };
  const exchanged = await startServerProcess(t, ["start"], { in: directory, environment: both, port: server.port });
  assert.equal((await exchanged.stop()).code, 0, "a new key in front of the former one is refused");
});

test("start takes flags before the environment, the environment before the file, and every secret from a file", async (t) => {
  const directory = makeDirectory(t);
  const keyFile = join(directory, "key");
  writeFileSync(keyFile, `${masterKey}\n`);
  const file = join(directory, "doorward.yaml");
  writeFileSync(file, "port: 1\nhost: 127.0.0.1\nlog_level: warn\ndata_dir: data\nbootstrap_organization: Example\n");
  mkdirSync(join(directory, "data"));
  const server = await startServerProcess(t, ["start", "--config", file, "--log-level", "error"], {
    in: directory,
    environment: { DOORWARD_MASTER_KEY_FILE: keyFile, DOORWARD_LOG_LEVEL: "debug" },
  });
  assert.equal((await fetch(`${server.origin}/debug/ready`)).status, 200);
  const { stderr } = await server.stop();
  assert.equal(stderr, "", "the environment won over the flag");
});

test("start leaves the schema alone when it is told so, and names what is missing", async (t) => {
  const { code, stderr } = await runCommand(t, ["start", "--no-migrate"], { in: makeDirectory(t), environment: good });
  assert.equal(code, 1);
  assert.match(stderr, /older than this program[\s\S]*doorward migrate/);
});

test("start refuses a chosen operations address that is taken, and names the setting (U5)", async (t) => {
  const holder = createServer().listen(0, "127.0.0.1");
  await once(holder, "listening");
  t.after(() => void holder.close());
  const address = holder.address();
  const taken = typeof address === "object" && address !== null ? `127.0.0.1:${address.port}` : "";
  for (const [value, code, problem] of [
    [taken, 1, taken],
    ["8081", 2, "is not an address with a port"],
    ["metrics.example:8081", 2, "is not an address with a port"],
  ] as const) {
    const environment = {
      DOORWARD_MASTER_KEY: masterKey,
      DOORWARD_BASE_URL: "http://localhost",
      DOORWARD_OPERATIONS_LISTEN: value,
    };
    const outcome = await runCommand(t, ["start"], { in: makeDirectory(t), environment });
    assert.equal(outcome.code, code, outcome.stderr);
    assert.match(outcome.stderr, /DOORWARD_OPERATIONS_LISTEN/);
    assert.ok(outcome.stderr.includes(problem), outcome.stderr);
  }
});
