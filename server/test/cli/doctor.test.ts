import assert from "node:assert/strict";
import { randomBytes } from "node:crypto";
import { chmodSync, existsSync } from "node:fs";
import { createServer as createHttp } from "node:http";
import type { AddressInfo } from "node:net";
import { join } from "node:path";
import { type TestContext, test } from "node:test";
import pg from "pg";
import { Secret } from "../../src/base/secret.ts";
import { sql } from "../../src/database/index.ts";
import { makeEmptyPostgres, makeLocation, onPostgres } from "../support/databases/databases.ts";
import { freePort } from "../support/http/free-port.ts";
import { testCall } from "../support/operations/call.ts";
import { addPerson } from "../support/people/people.ts";
import { type CommandOptions, makeDirectory, runCommand, startServerProcess } from "../support/servers/command.ts";
import { startServer } from "../support/servers/server.ts";

interface Finding {
  readonly check: string;
  readonly level: string;
  readonly message: string;
  readonly setting?: string;
  readonly fix?: string;
}

async function examine(t: TestContext, options: CommandOptions, ...args: string[]) {
  const { code, stdout, stderr } = await runCommand(t, ["doctor", ...args, "--json"], options);
  const { ok, findings } = JSON.parse(stdout || "{}") as { ok: boolean; findings: Finding[] };
  assert.ok(findings, stderr);
  const wrong = findings.filter(({ level }) => level !== "ok");
  for (const { message, setting, fix } of wrong) assert.ok(setting && fix, `"${message}" names no setting or no fix`);
  return { code, ok, findings, wrong, said: wrong.map(({ level, message }) => `${level}: ${message}`).join("\n") };
}

const secret = (): string => randomBytes(32).toString("base64");

/** A server that answers everything with the same. */
async function answering(t: TestContext, status: number, body: string, headers = {}): Promise<string> {
  const server = createHttp((_request, response) => void response.writeHead(status, headers).end(body));
  await new Promise<void>((listening) => server.listen(0, "127.0.0.1", listening));
  t.after(() => server.close());
  return `http://localhost:${(server.address() as AddressInfo).port}`;
}

test("doctor finds nothing wrong before the first start, while dev runs, and after it, and changes nothing", async (t) => {
  const directory = makeDirectory(t);
  const port = ["--port", String(await freePort())];
  const before = await examine(t, { in: directory }, ...port);
  assert.deepEqual([before.code, before.ok, before.wrong], [0, true, []]);
  assert.ok(!existsSync(join(directory, ".doorward")), "it made a data directory");
  const server = await startServerProcess(t, ["dev"], { in: directory, port: Number(port[1]) });
  const during = await examine(t, { in: directory }, ...port);
  assert.deepEqual([during.code, during.wrong], [0, []]);
  const messages = during.findings.map(({ message }) => message).join("\n");
  assert.match(messages, /Doorward answers on/);
  assert.match(messages, /its issuer is the same/);
  assert.match(messages, /active for RS256/);
  await server.stop();
  assert.deepEqual((await examine(t, { in: directory }, ...port)).wrong, []);
});

test("doctor names every setting that cannot be used, and unknown variables", async (t) => {
  const environment = {
    DOORWARD_WORKERS: "2",
    DOORWARD_BASE_URL: "http://id.example.com",
    DOORWARD_MASTERKEY: "x",
    DOORWARD_BOOTSTRAP_ADMIN_PASSWORD: "x",
    DOORWARD_BOOTSTRAP_ADMIN_PASSWORD_FILE: "/nowhere",
  };
  const { code, said } = await examine(t, { in: makeDirectory(t), environment });
  assert.equal(code, 1);
  assert.match(said, /error: DOORWARD_WORKERS is more than 1/);
  assert.match(said, /error: DOORWARD_BASE_URL is .* without TLS/);
  assert.match(said, /error: DOORWARD_MASTER_KEY is missing/);
  assert.match(said, /error: DOORWARD_BOOTSTRAP_ADMIN_USERNAME is missing/);
  assert.match(said, /warning: DOORWARD_MASTERKEY is set but is not a setting/);
  assert.match(said, /warning: DOORWARD_BOOTSTRAP_ADMIN_PASSWORD_FILE does nothing/);
});

test("doctor finds files that others can read, a wrong master key, and a port that is taken", async (t) => {
  const directory = makeDirectory(t);
  const server = await startServerProcess(t, ["dev"], { in: directory });
  await server.stop();
  const data = join(directory, ".doorward");
  chmodSync(join(data, "master.key"), 0o640);
  chmodSync(data, 0o755);
  const foreign = await answering(t, 200, "something else");
  const environment = { DOORWARD_MASTER_KEY: secret(), DOORWARD_PORT: new URL(foreign).port };
  const { code, said, wrong } = await examine(t, { in: directory, environment }, "--dev");
  assert.equal(code, 1);
  assert.match(said, /error: .*master\.key is open to other users \(mode 640\)/);
  assert.match(said, /error: .*\.doorward is open to other users \(mode 755\)/);
  assert.match(said, /error: it is not the one that encrypted signing keys \d+, \d+/);
  assert.match(said, /error: port \d+ is taken by another program/);
  assert.ok(wrong.some(({ fix }) => fix?.includes(`chmod 600 ${join(data, "master.key")}`)));
  assert.ok(wrong.some(({ setting }) => setting === "DOORWARD_MASTER_KEY"));
  assert.ok(wrong.some(({ setting }) => setting === "DOORWARD_PORT"));
});

test("doctor compares the base URL with what answers there", async (t) => {
  const ask = async (baseUrl: string) => {
    const environment = { DOORWARD_MASTER_KEY: secret(), DOORWARD_BASE_URL: baseUrl };
    return (await examine(t, { in: makeDirectory(t), environment }, "--port", String(await freePort()))).said;
  };
  const other = JSON.stringify({ issuer: "https://old.example.com" });
  assert.match(await ask(await answering(t, 200, other)), /error: .*its issuer is https:\/\/old\.example\.com/);
  assert.match(await ask(await answering(t, 404, "{}")), /error: .*answers discovery with 404/);
  const away = { location: "https://id.example.com/" };
  assert.match(await ask(await answering(t, 301, "", away)), /error: .*redirects to https:\/\/id\.example\.com/);
  assert.match(await ask("http://localhost:1"), /warning: http:\/\/localhost:1 does not answer from here/);
});

test("doctor warns of proxies that are forgotten, and of networks that are too wide", async (t) => {
  const port = ["--port", String(await freePort())];
  const environment = { DOORWARD_MASTER_KEY: secret(), DOORWARD_BASE_URL: "https://localhost:1" };
  const forgotten = await examine(t, { in: makeDirectory(t), environment }, ...port);
  assert.equal(forgotten.code, 0, "warnings alone make it fail");
  assert.match(forgotten.said, /warning: there is a proxy in front of Doorward/);
  const wide = { ...environment, DOORWARD_TRUSTED_PROXIES: "0.0.0.0/0", DOORWARD_OUTBOUND_ALLOW: "::/0" };
  const open = await examine(t, { in: makeDirectory(t), environment: wide }, ...port);
  assert.equal(open.code, 1);
  assert.match(open.said, /error: 0\.0\.0\.0\/0 lets nearly every client say/);
  assert.match(open.said, /warning: ::\/0 opens inner networks/);
});

test("doctor warns of an active mail server that is not allowed, and of usernames that identify no user (A12, A31)", async (t) => {
  const location = await makeLocation(t, "sqlite");
  const key = secret();
  const server = await startServer(t, { location, config: { masterKeys: [new Secret(key)] } });
  const settings = { senderAddress: "login@mail.example", senderName: "Doorward", host: "10.20.30.40:25", none: {} };
  const added = await server.rest("POST", "/admin/v1/email/smtp", { body: settings });
  const activated = await server.rest("POST", `/admin/v1/email/${added.body.id}/_activate`, { body: {} });
  assert.equal(activated.status, 200, JSON.stringify(added.body));
  const { userId } = await addPerson(server, { username: "eva" });
  const { database, findInstanceByHost } = server.app.domain;
  const { instanceId = "" } = (await findInstanceByHost("localhost")) ?? {};
  await database.touch(testCall({ instanceId, now: server.clock.now }), (tx) =>
    tx.run(sql`update users set username = 'eva@käse.example', username_key = 'eva@xn--kse-qla.example TAKEN'
      where user_id = ${userId}`),
  );
  await server.app.close();
  const environment = {
    DOORWARD_DATA_DIR: location.directory ?? "",
    DOORWARD_MASTER_KEY: key,
    DOORWARD_BASE_URL: server.origin,
    DOORWARD_PORT: String(server.port),
  };
  const examined = (allow: string) =>
    examine(t, { environment: { ...environment, DOORWARD_OUTBOUND_ALLOW: allow } }, "--production");
  const isMeant = ({ message }: Finding): boolean => message.includes("10.20.30.40:25");
  const { wrong } = await examined("");
  const [lost, ...others] = wrong.filter(({ check }) => check === "usernames");
  assert.match(`${lost?.level} ${lost?.message}`, new RegExp(`^warning .*: eva@käse.example \\(user ${userId} of `));
  assert.deepEqual(others, []);
  const [found] = wrong.filter(isMeant);
  assert.deepEqual([found?.level, found?.setting], ["warning", "DOORWARD_OUTBOUND_ALLOW"]);
  assert.deepEqual((await examined("10.20.30.40")).findings.filter(isMeant), [], "not when it is allowed");
});

test("doctor tells of a schema that is older, and of one that is newer", async (t) => {
  const directory = makeDirectory(t);
  const server = await startServerProcess(t, ["dev"], { in: directory });
  await server.stop();
  const { DatabaseSync } = await import("node:sqlite");
  const database = new DatabaseSync(join(directory, ".doorward/doorward.db"));
  const { newest } = database.prepare("select max(number) as newest from migrations").get() as { newest: number };
  database.exec(`delete from migrations where number = ${newest}`);
  const port = ["--port", String(await freePort())];
  assert.match((await examine(t, { in: directory }, ...port)).said, new RegExp(`warning: it lacks ${newest} `));
  database.exec(`insert into migrations values (${newest + 5}, 'later', 'x', 0)`);
  database.close();
  const newer = await examine(t, { in: directory }, ...port);
  assert.equal(newer.code, 1);
  assert.match(newer.said, /error: the database is newer than this program/);
});

test("doctor needs no terminal and obeys NO_COLOR", async (t) => {
  const directory = makeDirectory(t);
  const port = ["--port", String(await freePort())];
  const plain = await runCommand(t, ["doctor", ...port], { in: directory, environment: { NO_COLOR: "1" } });
  assert.equal(plain.code, 0);
  // biome-ignore lint/suspicious/noControlCharactersInRegex: the start of an ANSI sequence.
  assert.doesNotMatch(plain.stdout, /\x1b\[/);
  assert.match(plain.stdout, /Nothing is wrong/);
});

onPostgres(() => {
  test("doctor looks at PostgreSQL: address, version, settings, schema, clock, keys", async (t) => {
    const directory = makeDirectory(t);
    const url = await makeEmptyPostgres(t);
    const environment = { DOORWARD_DATABASE_URL: url };
    const args = ["--dev", "--port", String(await freePort())];
    const empty = await examine(t, { in: directory, environment }, ...args);
    assert.ok(empty.findings.some(({ message }) => message.includes("the database is empty")));
    const server = await startServerProcess(t, ["dev"], { in: directory, environment });
    const client = new pg.Client(url);
    await client.connect();
    const { rows } = await client.query("select setting from pg_settings where name = 'fsync'");
    await client.query(`alter database ${client.database} set synchronous_commit = off`);
    await client.end();
    const full = await examine(t, { in: directory, environment }, ...args);
    const messages = full.findings.map(({ message }) => message).join("\n");
    assert.match(messages, /PostgreSQL \d+\.\d+/);
    assert.match(messages, /\d+ ms from that of the database/);
    assert.match(messages, /active for RS256/);
    assert.match(full.said, /error: PostgreSQL has synchronous_commit = off/);
    assert.equal(/fsync = off/.test(full.said), rows[0].setting === "off");
    await server.stop();

    const missing = new URL(url);
    missing.pathname = "/doorward_nowhere";
    const lost = await examine(t, { in: directory, environment: { DOORWARD_DATABASE_URL: missing.href } }, ...args);
    assert.equal(lost.code, 1);
    assert.match(lost.said, /error: .*doorward_nowhere.* does not exist/);
    const silent = { DOORWARD_DATABASE_URL: "postgres://somebody:hidden-password@127.0.0.1:1/x" };
    const refused = await examine(t, { in: directory, environment: silent }, ...args);
    assert.match(refused.said, /error: .*ECONNREFUSED/);
    assert.doesNotMatch(JSON.stringify(refused), /hidden-password/);
  });
});
