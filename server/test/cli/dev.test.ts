import assert from "node:assert/strict";
import { existsSync, readFileSync, statSync } from "node:fs";
import { request } from "node:http";
import { join } from "node:path";
import { test } from "node:test";
import { fetch } from "../support/http/fetch.ts";
import { freePort } from "../support/http/free-port.ts";
import { makeDirectory, runCommand, startCommand, startServerProcess } from "../support/servers/command.ts";
import { cpuMillisecondsOf } from "../support/servers/cpu-time.ts";

const modeOf = (path: string): string => (statSync(path).mode & 0o777).toString(8);

test("dev makes a private data directory, and an operator's token that lives as long as it runs", async (t) => {
  const directory = makeDirectory(t);
  const data = join(directory, ".doorward");
  const server = await startServerProcess(t, ["dev"], { in: directory, isAlone: true });
  for (const name of ["master.key", "doorward.db", "operator.json"]) {
    assert.equal(modeOf(join(data, name)), "600", name);
  }
  assert.equal(modeOf(data), "700");
  const { token, url } = JSON.parse(readFileSync(join(data, "operator.json"), "utf8"));
  assert.equal(url, server.origin);
  const ask = (bearer: string) =>
    fetch(`${server.origin}/service.org.v2.OrganizationService/ListOrganizations`, {
      method: "POST",
      headers: { authorization: `Bearer ${bearer}`, "content-type": "application/json" },
      body: "{}",
    });
  assert.equal((await ask(token)).status, 200);
  const almost = token.slice(0, -1) + (token.endsWith("A") ? "B" : "A");
  assert.equal((await ask(almost)).status, 401);
  const { code } = await server.stop();
  assert.equal(code, 0);
  assert.ok(!existsSync(join(data, "operator.json")), "the token outlives the server");

  const again = await startServerProcess(t, ["dev"], { in: directory, port: server.port });
  assert.equal((await ask(token)).status, 401, "the token of the process before works");
  await again.stop();
});

test("dev is ready in 2 s on an empty directory and in 1 s on one that it knows", async (t) => {
  const directory = makeDirectory(t);
  const measure = async (): Promise<number> => {
    const server = await startServerProcess(t, ["dev"], { in: directory, isAlone: true });
    const milliseconds = cpuMillisecondsOf(server.child) ?? server.ready.milliseconds;
    t.diagnostic(`dev is ready after ${server.ready.milliseconds} ms, and ${milliseconds} ms of processor time`);
    await server.stop();
    return milliseconds;
  };
  // Twice and more the time that it may take: what other tests do on the same cores counts less than on the wall, but
  // it counts.
  const [empty, warm] = [await measure(), await measure()];
  assert.ok(empty < 6_000, `${empty} ms on an empty directory`);
  assert.ok(warm < 4_000, `${warm} ms on one that it knows`);
});

test("dev prints where everything is, and names no page that does not exist", async (t) => {
  const directory = makeDirectory(t);
  const port = await freePort();
  const server = startCommand(t, ["dev", "--port", String(port)], { in: directory, isAlone: true });
  const link = await server.printed(/→ (\S+)/);
  assert.match(link, new RegExp(`^http://localhost:${port}/ui/setup#[\\w-]{43}$`));
  for (const address of new Set(await addressesIn(server))) {
    const response = await fetch(address, { redirect: "manual" });
    assert.ok(response.status < 400, `${address} answers ${response.status}`);
  }
  const { stdout, stderr } = await server.stop();
  // biome-ignore lint/suspicious/noControlCharactersInRegex: the start of an ANSI sequence.
  assert.doesNotMatch(stdout + stderr, /\x1b\[/, "colours where there is no terminal");
});

async function addressesIn(server: { printed(pattern: RegExp): Promise<string> }): Promise<string[]> {
  const banner = await server.printed(/[\s\S]*Ctrl\+C stops it/);
  return Array.from(banner.matchAll(/http:\/\/localhost:\d+[^\s#]*/g), ([address]) => address);
}

test("a second process on the data directory is refused, and told who has it", async (t) => {
  const directory = makeDirectory(t);
  const first = await startServerProcess(t, ["dev"], { in: directory });
  const { code, stderr } = await runCommand(t, ["dev", "--port", String(await freePort())], { in: directory });
  assert.equal(code, 1);
  assert.match(stderr, new RegExp(`in use by process ${first.child.pid}`));
  assert.match(stderr, /DOORWARD_DATA_DIR/);
});

test("a port that is taken is named with its setting", async (t) => {
  const first = await startServerProcess(t, ["dev"], { in: makeDirectory(t) });
  const { code, stderr } = await runCommand(t, ["dev", "--port", String(first.port)], { in: makeDirectory(t) });
  assert.equal(code, 1);
  assert.match(stderr, /EADDRINUSE[\s\S]*DOORWARD_PORT[\s\S]*--port/);
});

test("SIGTERM lets what runs finish and refuses what is new", async (t) => {
  const server = await startServerProcess(t, ["dev"], { in: makeDirectory(t), isAlone: true });
  const body = "grant_type=client_credentials&scope=openid";
  const slow = request(`${server.origin}/oauth/v2/token`, {
    method: "POST",
    headers: { "content-type": "application/x-www-form-urlencoded", "content-length": body.length },
  });
  slow.flushHeaders();
  slow.write(body.slice(0, 10));
  // The server has read the headers once a later request was answered.
  await fetch(`${server.origin}/debug/healthz`);
  const stopped = server.stop("SIGTERM");
  await server.printed(/stopping/);
  await assert.rejects(fetch(`${server.origin}/debug/healthz`));
  const answered = new Promise<number>((resolve, reject) => {
    slow.on("response", (response) => resolve(response.resume().statusCode ?? 0)).on("error", reject);
  });
  slow.end(body.slice(10));
  assert.equal(await answered, 401, "the request that ran was cut off");
  const { code, signal } = await stopped;
  assert.deepEqual({ code, signal }, { code: 0, signal: null });
});

test("SIGTERM ends idle connections at once", async (t) => {
  const server = await startServerProcess(t, ["dev"], { in: makeDirectory(t), isAlone: true });
  await (await fetch(`${server.origin}/debug/healthz`)).text();
  const started = performance.now();
  const { code } = await server.stop("SIGTERM");
  assert.equal(code, 0);
  assert.ok(performance.now() - started < 5_000, "it waited for a connection that nobody used");
});
