import assert from "node:assert/strict";
import process from "node:process";
import { test } from "node:test";
import { fetch } from "../support/http/fetch.ts";
import { startServer } from "../support/servers/server.ts";

test("an unknown path costs the same however many segments it has", async (t) => {
  const server = await startServer(t);
  const costOf = async (path: string): Promise<number> => {
    const started = process.cpuUsage();
    for (let count = 0; count < 20; count++) assert.equal((await fetch(server.origin + path)).status, 404);
    const { user, system } = process.cpuUsage(started);
    return user + system;
  };
  const longPath = `/v2/users/a${"/a".repeat(2000)}`;
  // What answers each of them is loaded first, and collecting garbage falls to one of several measurements.
  for (const path of ["/nowhere", longPath]) await costOf(path);
  const costs = async (path: string) => [await costOf(path), await costOf(path), await costOf(path)];
  const [short, long] = [Math.min(...(await costs("/nowhere"))), Math.min(...(await costs(longPath)))];
  assert.ok(long < 4 * short + 50_000, `${long} µs for long ones, ${short} µs for short ones`);
  const answer = await fetch(`${server.origin}/v2/users/a/b/c${"/d".repeat(1000)}`);
  assert.match(answer.headers.get("content-type") ?? "", /json/, "the answer is that of the routes beside it");
});

test("a page does not repeat a long query for each language", async (t) => {
  const server = await startServer(t);
  const read = async (query: string): Promise<string> => (await fetch(`${server.origin}/ui/login${query}`)).text();
  const plain = await read("");
  assert.match(plain, /href="\/ui\/login\?language=de"/);
  assert.match(await read("?login_hint=a&language=fr"), /href="\/ui\/login\?login_hint=a&amp;language=de"/);
  const long = await read(`?${"a&".repeat(7000)}`);
  assert.ok(long.length < plain.length + 20_000, `${long.length} characters, ${plain.length} without a query`);
});

test("a deadline beyond the range of timers is ignored", async (t) => {
  const warnings: Error[] = [];
  const keep = (warning: Error): void => void warnings.push(warning);
  process.on("warning", keep);
  t.after(() => process.off("warning", keep));
  const server = await startServer(t);
  const ask = async (type: string, body: string | Uint8Array<ArrayBuffer>, headers: Record<string, string>) => {
    const url = `${server.origin}/service.admin.v1.AdminService/Healthz`;
    const answer = await fetch(url, { method: "POST", headers: { "content-type": type, ...headers }, body });
    return Buffer.from(await answer.arrayBuffer()).toString("latin1");
  };
  for (const timeout of ["9999999999", "60000"]) {
    assert.equal(await ask("application/json", "{}", { "connect-timeout-ms": timeout }), "{}", timeout);
  }
  for (const timeout of ["99999999H", "60S"]) {
    const answer = await ask("application/grpc-web+proto", new Uint8Array(5), { "grpc-timeout": timeout });
    assert.match(answer, /grpc-status: 0/, timeout);
  }
  assert.deepEqual(warnings, []);
});
