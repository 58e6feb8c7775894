import assert from "node:assert/strict";
import { once } from "node:events";
import { createServer } from "node:http";
import { type ClientHttp2Session, type ClientHttp2Stream, connect as connectHttp2 } from "node:http2";
import { type AddressInfo, connect, type Socket } from "node:net";
import { test } from "node:test";
import { countUnsent } from "../../src/http/count-unsent.ts";
import { writeResponse } from "../../src/http/write-response.ts";
import { createAnswerShare } from "../../src/web/index.ts";
import { actionsOf } from "../action/support/actions.ts";
import { fetch } from "../support/http/fetch.ts";
import { startReceiver } from "../support/http/receiver.ts";
import { startServer } from "../support/servers/server.ts";

const kilo = 1024;
// A source has 256 KiB, and what waits counts as 8 KiB at least.
const options = {
  config: { trustedProxies: ["127.0.0.0/8"], bodyLimit: 64 * kilo },
  limits: { maxBodyBytesPerSource: 256 * kilo },
};
const most = 32;
const typeOf = (path: string): string =>
  path.startsWith("/service.") ? "application/json" : "application/x-www-form-urlencoded";
const settle = (milliseconds = 300): Promise<void> => new Promise((resolve) => setTimeout(resolve, milliseconds));

/** Waits until something is so, for as long as a machine with other work may take. */
async function until(isSo: () => boolean, what: string): Promise<void> {
  for (let count = 0; count < 200 && !isSo(); count++) await settle(50);
  assert.ok(isSo(), what);
}

const countOf = (all: readonly Asked[], isCounted: (asked: Asked) => boolean): number => all.filter(isCounted).length;
const isEnded = (asked: Asked): boolean => asked.isEnded;

interface Asked {
  readonly session: ClientHttp2Session;
  readonly stream: ClientHttp2Stream;
  status?: number;
  isEnded: boolean;
}

test("answers that are not read, and requests whose bodies never come, are counted", async (t) => {
  const server = await startServer(t, options);
  const open = (initialWindowSize: number): ClientHttp2Session => {
    const session = connectHttp2(server.origin, { settings: { initialWindowSize } });
    t.after(() => session.destroy());
    return session;
  };
  const discovery = "/.well-known/openid-configuration";
  const unread = open(0);
  const usual = open(65_535);
  const further: ClientHttp2Session[] = [];
  const ask = (session: ClientHttp2Session, source: string, path: string, method = "GET"): Asked => {
    const stream = session.request(
      { ":method": method, ":path": path, "x-forwarded-for": source, "content-type": typeOf(path) },
      { endStream: method === "GET" },
    );
    const asked: Asked = { session, stream, isEnded: false };
    stream.on("error", () => undefined);
    stream.on("response", (headers) => (asked.status = Number(headers[":status"])));
    stream.on("close", () => (asked.isEnded = true));
    return asked;
  };
  const many = (count: number, make: (index: number) => Asked): Asked[] =>
    Array.from({ length: count }, (_, index) => make(index));
  // A connection is read in its order: what is answered after streams were ended is answered without them.
  const stop = async (all: readonly Asked[]): Promise<void> => {
    for (const { stream } of all) stream.destroy();
    for (const session of new Set(all.map((asked) => asked.session))) {
      const last = ask(session, "203.0.113.200", discovery);
      await until(() => last.status !== undefined, "an answer after all others");
      last.stream.destroy();
    }
    await settle();
  };
  const read = async (source: string, path = discovery): Promise<number | undefined> => {
    const asked = ask(usual, source, path);
    asked.stream.resume();
    await new Promise((resolve) => asked.stream.once("close", resolve));
    return asked.status;
  };

  await t.test("a source has a share of answers", async () => {
    const held = many(most + 8, () => ask(unread, "192.0.2.1", discovery));
    await until(() => countOf(held, isEnded) === 8, "all beyond the share are refused");
    assert.equal(await read("192.0.2.2"), 200, "another source");
    assert.equal(countOf(held, isEnded), 8);
    await stop(held);
    const again = many(most, () => ask(unread, "192.0.2.1", discovery));
    await until(() => countOf(again, ({ status }) => status === 200) === most, "all are answered");
    assert.equal(countOf(again, isEnded), 0, "given back");
    await stop(again);
  });

  await t.test("a source that reads its answers has as many as it likes", async () => {
    for (let count = 0; count < 2 * most; count++) assert.equal(await read("192.0.2.1"), 200);
  });

  await t.test("a full process ends answers of the block that holds most", async () => {
    // Eight sources of all that they may have, but for one.
    const second = open(0);
    further.push(second);
    const held = many(8 * most - 1, (index) =>
      ask(index % 2 === 0 ? unread : second, `192.0.2.${index % 8}`, discovery),
    );
    await until(() => countOf(held, ({ status }) => status === 200) === held.length, "all are answered");
    assert.equal(countOf(held, isEnded), 0);
    const others = many(2, (index) => ask(unread, `198.51.100.${index}`, discovery));
    await until(() => countOf(others, ({ status }) => status === 200) === 2, "others are answered");
    await until(() => countOf(held, isEnded) === 1, "one gave way");
    assert.equal(countOf(others, isEnded), 0);
    await stop([...held, ...others]);
  });

  await t.test("answers of calls are counted as well", async () => {
    const call = (session = unread): Asked => {
      const asked = ask(session, "192.0.2.1", "/service.admin.v1.AdminService/Healthz", "POST");
      asked.stream.end("{}");
      return asked;
    };
    // The first one loads what it needs.
    const first = call(usual);
    first.stream.resume();
    await new Promise((resolve) => first.stream.once("close", resolve));
    assert.equal(first.status, 200);
    const held = many(most + 8, () => call());
    await until(() => held.some(isEnded), "some are refused");
    assert.ok(held.some((asked) => !asked.isEnded));
    await stop(held);
  });

  for (const path of ["/oidc/v1/userinfo", "/oidc/v1/end_session", "/oauth/v2/token"]) {
    await t.test(`a source has a share of requests without their bodies: ${path}`, async () => {
      const held = many(most + 8, () => ask(usual, "192.0.2.1", path, "POST"));
      await until(() => countOf(held, ({ status }) => status === 429) === 8, "all beyond the share are refused");
      for (const { stream } of held) stream.resume();
      await until(() => countOf(held, isEnded) === 8, "the server keeps none that it refused");
      assert.equal(await read("192.0.2.2"), 200, "another source");
      await stop(held);
      const again = ask(usual, "192.0.2.1", path, "POST");
      await settle();
      assert.equal(again.status, undefined, "given back");
      again.stream.end();
      await until(() => again.status !== undefined, "it is answered");
      assert.notEqual(again.status, 429);
    });
  }
  // Otherwise the server waits for them when it is stopped.
  for (const session of [unread, usual, ...further]) session.destroy();
});

test("a call whose client has gone before its answer keeps nothing", async (t) => {
  const server = await startServer(t, options);
  const receiver = await startReceiver(t);
  let waiting = 0;
  receiver.answer = (_, response) => {
    waiting++;
    response.once("close", () => waiting--);
  };
  const actions = actionsOf(server);
  const target = await actions.createTarget(receiver.origin, { kind: "restWebhook", timeout: "60s" });
  await actions.set({ request: { service: "service.session.v2.SessionService" } }, [target]);
  const method = "POST";
  const headers = {
    "content-type": "application/json",
    "x-forwarded-for": "192.0.2.1",
    authorization: `Bearer ${server.ownerToken}`,
  };
  const held = "/service.session.v2.SessionService/ListSessions";
  const session = connectHttp2(server.origin);
  t.after(() => session.destroy());
  const calls = {
    "HTTP/2": () => {
      const stream = session.request({ ":method": method, ":path": held, ...headers });
      stream.on("error", () => undefined).end("{}");
      return () => stream.close(8);
    },
    "HTTP/1.1": () => {
      const gone = new AbortController();
      void fetch(server.origin + held, { method, headers, body: "{}", signal: gone.signal }).catch(() => undefined);
      return () => gone.abort();
    },
  };
  for (const [name, call] of Object.entries(calls)) {
    // Together more than the share of a source, if each kept what waits counts at least.
    for (let round = 0; round < 2; round++) {
      const leave = Array.from({ length: 20 }, call);
      await until(() => waiting === leave.length, `all wait: ${name}`);
      for (const cut of leave) cut();
      await until(() => waiting === 0, `none waits: ${name}`);
      await settle();
    }
    const path = "/service.admin.v1.AdminService/Healthz";
    const answer = await fetch(server.origin + path, { method, headers, body: "{}" });
    assert.equal(answer.status, 200, name);
  }
  session.destroy();
});

test("an answer of HTTP/1.1 counts from where the system has no room for it", async (t) => {
  const share = createAnswerShare({ bodyLimit: kilo, maxBodyBytesPerSource: 12 * 1024 * kilo });
  const body = Buffer.alloc(24 * 1024 * kilo);
  const server = createServer((request, response) => {
    writeResponse(response, { status: 200, headers: {}, body: request.url === "/" ? body : "small" }, {});
    countUnsent(response, share, () => "192.0.2.1");
  });
  server.listen(0, "127.0.0.1");
  await once(server, "listening");
  t.after(() => {
    server.closeAllConnections();
    server.close();
  });
  const { port } = server.address() as AddressInfo;
  const ask = async (path: string) => {
    const socket = connect(port, "127.0.0.1");
    t.after(() => socket.destroy());
    socket.on("error", () => undefined);
    socket.write(`GET ${path} HTTP/1.1\r\nHost: localhost\r\n\r\n`);
    await settle();
    return socket;
  };
  const read = async (socket: Socket): Promise<boolean> => {
    let bytes = 0;
    socket.on("data", (chunk) => (bytes += chunk.length));
    for (let count = 0; count < 50 && bytes < body.length && !socket.closed; count++) await settle(100);
    return bytes > body.length;
  };
  const first = await ask("/");
  const second = await ask("/");
  await Promise.all(Array.from({ length: 5 }, () => ask("/small")));
  assert.equal(await read(second), false, "more than a source may have");
  assert.equal(await read(first), true);
  assert.equal(await read(await ask("/")), true, "given back");
});
