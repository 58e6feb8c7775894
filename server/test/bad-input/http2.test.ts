import assert from "node:assert/strict";
import { once } from "node:events";
import {
  type ClientHttp2Session,
  type ClientHttp2Stream,
  connect,
  constants,
  type OutgoingHttpHeaders,
} from "node:http2";
import { cpuUsage } from "node:process";
import { type TestContext, test } from "node:test";
import { setTimeout as sleep } from "node:timers/promises";
import { fetch } from "../support/http/fetch.ts";
import { RawConnection } from "../support/http/raw-http.ts";
import { startServer, type TestServer } from "../support/servers/server.ts";

const { HTTP2_HEADER_METHOD: method, HTTP2_HEADER_PATH: path, HTTP2_HEADER_STATUS: statusName } = constants;
const call = "/service.user.v2.UserService/ListUsers";

function open(t: TestContext, server: TestServer): ClientHttp2Session {
  const session = connect(server.origin);
  session.on("error", () => {});
  t.after(() => session.destroy());
  return session;
}

/** Status of the answer; what ended the stream when there was none. */
async function ask(session: ClientHttp2Session, headers: OutgoingHttpHeaders, body?: string | Buffer) {
  const stream = session.request({ [path]: "/debug/healthz", ...headers }, { endStream: body === undefined });
  stream.on("error", () => {});
  if (body !== undefined) stream.end(body);
  return answerOf(stream);
}

async function answerOf(stream: ClientHttp2Stream): Promise<{ status: number | string; body: string }> {
  const { promise, resolve } = Promise.withResolvers<{ status: number | string; body: string }>();
  let status: number | string = "closed";
  let body = "";
  stream.setEncoding("utf8");
  stream.on("response", (headers) => (status = (headers[statusName] as number | undefined) ?? "none"));
  stream.on("data", (text: string) => (body += text));
  stream.on("error", () => {});
  stream.on("close", () => resolve({ status, body }));
  return promise;
}

const alive = async (server: TestServer): Promise<void> => {
  assert.equal((await server.rest("GET", "/debug/healthz", { token: null })).status, 200);
};

test("HTTP/2 refuses targets, hosts and methods as HTTP/1.1 does", async (t) => {
  const server = await startServer(t);
  const session = open(t, server);
  assert.equal((await ask(session, {})).status, 200);
  const refused: OutgoingHttpHeaders[] = [
    { [path]: "*" },
    { [path]: "http://localhost/debug/healthz" },
    { [path]: "debug/healthz" },
    { [path]: "/v2/users/%zz" },
    { [path]: "/v2/users/1", ":authority": "evil.example" },
    { [path]: "/v2/users/1", ":authority": "localhost@evil.example" },
    { [path]: "/v2/users/1", host: "evil.example", ":authority": "localhost" },
    { [method]: "BREW" },
    { [method]: "TRACE" },
    { [method]: "DELETE" },
    { [method]: "POST", [path]: call, "content-type": "application/grpc" },
    { [method]: "POST", [path]: "/service.user.v2.UserService/Nothing", "content-type": "application/grpc" },
  ];
  for (const headers of refused) {
    const { status } = await ask(session, headers, headers[method] === "POST" ? Buffer.alloc(5) : undefined);
    const isGrpc = headers["content-type"] === "application/grpc";
    const isRefused = status === "closed" || (Number(status) >= 400 && Number(status) < 500);
    assert.ok(isGrpc ? status === 200 : isRefused, `${JSON.stringify(headers)}: ${status}`);
  }
  await alive(server);
});

test("a host beside the authority is the same, and an invalid origin counts as no page of ours", async (t) => {
  const server = await startServer(t);
  const session = open(t, server);
  const { host } = new URL(server.origin);
  const [, csrf = "", cookie = ""] = await formOf(server);
  const post = (origin: string, more: OutgoingHttpHeaders = {}) =>
    ask(
      session,
      {
        [method]: "POST",
        [path]: "/ui/login",
        ":authority": host,
        origin,
        cookie,
        "content-type": "application/x-www-form-urlencoded",
        ...more,
      },
      new URLSearchParams({ csrf_token: csrf, login_name: "ada" }).toString(),
    );
  assert.equal((await post(server.origin)).status, 303, "our own page");
  assert.equal((await post(server.origin, { host })).status, 303);
  assert.equal((await post("null")).status, 403, "a page in a sandbox, or of a file");
  assert.equal((await post("https://evil.example")).status, 403);
  assert.equal((await post("https://evil.example", { host: "evil.example" })).status, 400);
  assert.equal((await post(server.origin, { host: "evil.example" })).status, 400);
});

/** A form of ours with its proof, and the cookie that it belongs to. */
async function formOf({ origin }: TestServer): Promise<readonly string[]> {
  const page = await fetch(`${origin}/ui/login`);
  const [cookie = ""] = page.headers.getSetCookie()[0]?.split(";", 1) ?? [];
  const [form, csrf = ""] = /name="csrf_token" value="([^"]*)"/.exec(await page.text()) ?? [];
  return [form ?? "", csrf, cookie];
}

test("the length of header lists is limited", async (t) => {
  const server = await startServer(t);
  const big: OutgoingHttpHeaders = Object.fromEntries(
    Array.from({ length: 40 }, (_, index) => [`x-${index}`, "y".repeat(1000)]),
  );
  const { status } = await ask(open(t, server), big);
  assert.ok(status === "closed" || status === 431, `a list of 40 KB: ${status}`);
  const many: OutgoingHttpHeaders = Object.fromEntries(Array.from({ length: 3000 }, (_, index) => [`x-${index}`, "y"]));
  const answer = await ask(open(t, server), many);
  assert.ok(answer.status === "closed" || answer.status === 431, `3,000 lines: ${answer.status}`);
  await alive(server);
});

test("the length of bodies is limited", async (t) => {
  const server = await startServer(t);
  const session = open(t, server);
  const json = { "content-type": "application/json", authorization: `Bearer ${server.ownerToken}`, [method]: "POST" };
  const large = Buffer.alloc(1024 * 1024 + 1, "y");
  assert.equal((await ask(session, { ...json, [path]: "/v2/organizations/_search" }, large)).status, 413);
  const { status } = await ask(session, { ...json, [path]: call }, large);
  assert.equal(status, 429, "Connect calls it resource_exhausted");
  await alive(server);
});

test("a body without end is cut off", async (t) => {
  const limits = { requestTimeout: 600, headersTimeout: 600, readTimeout: 10_000, keepAliveTimeout: 10_000 };
  const server = await startServer(t, { limits });
  const session = open(t, server);
  const json = { "content-type": "application/json", authorization: `Bearer ${server.ownerToken}`, [method]: "POST" };
  const endless = ["/v2/organizations/_search", "/oauth/v2/token", call, "/ui/login"].map(async (each) => {
    const started = performance.now();
    const stream = session.request({ ...json, [path]: each });
    stream.on("error", () => {});
    const trickle = setInterval(() => stream.write(" "), 50);
    const { status: end } = await answerOf(stream);
    clearInterval(trickle);
    return { each, end, milliseconds: performance.now() - started };
  });
  for (const { each, end, milliseconds } of await Promise.all(endless)) {
    assert.ok(milliseconds < 4_000, `${each}: ${end} after ${milliseconds} ms`);
    assert.ok(typeof end === "string" || end < 500, `${each}: ${end}`);
  }
  await alive(server);
});

test("gRPC frames that lie about their length are refused", async (t) => {
  const server = await startServer(t);
  const session = open(t, server);
  const headers = { [method]: "POST", [path]: call, authorization: `Bearer ${server.ownerToken}`, te: "trailers" };
  const frames: Record<string, Buffer> = {
    nothing: Buffer.alloc(0),
    "half a prefix": Buffer.from([0, 0]),
    "more than there is": Buffer.from([0, 0, 0, 0, 9, 1]),
    "four gigabytes": Buffer.from([0, 0xff, 0xff, 0xff, 0xff, 1]),
    "compressed, without saying how": Buffer.from([1, 0, 0, 0, 1, 1]),
    "unknown flags": Buffer.from([0x7e, 0, 0, 0, 1, 1]),
    "two messages": Buffer.from([0, 0, 0, 0, 0, 0, 0, 0, 0, 0]),
    "not a message": Buffer.from([0, 0, 0, 0, 2, 0xff, 0xff]),
    "a group that never ends": Buffer.from([0, 0, 0, 0, 1, 0x0b]),
    "great depth": Buffer.concat([Buffer.from([0, 0, 0, 0x40, 0]), Buffer.alloc(0x4000, 0x0b)]),
  };
  for (const type of ["application/grpc", "application/grpc+proto", "application/grpc-web", "application/proto"]) {
    for (const [name, body] of Object.entries(frames)) {
      const stream = session.request({ ...headers, "content-type": type });
      stream.on("error", () => {});
      let code: unknown;
      stream.on("response", (answer) => (code = answer["grpc-status"]));
      stream.on("trailers", (trailers) => (code ??= trailers["grpc-status"]));
      stream.end(body);
      const { status, body: text } = await answerOf(stream);
      if (type === "application/grpc-web") code ??= /grpc-status: ?(\d+)/.exec(text)?.[1];
      assert.ok(Number(status) < 500, `${type}, ${name}: ${status}`);
      // gRPC itself calls a broken frame INTERNAL (13); UNKNOWN would be a mistake of ours.
      assert.notEqual(code, "2", `${type}, ${name}`);
      assert.doesNotMatch(text, /\n\s+at |node_modules|\.ts:\d/);
    }
  }
  await alive(server);
});

test("streams that are reset at once end the session and cost little (rapid reset, CVE-2023-44487)", async (t) => {
  const server = await startServer(t);
  const session = open(t, server);
  await once(session, "connect");
  const before = cpuUsage();
  let count = 0;
  while (!session.destroyed && !session.closed && count < 20_000) {
    for (let index = 0; index < 100 && !session.destroyed && !session.closed; index++, count++) {
      const stream = session.request({ [path]: "/oauth/v2/keys" });
      stream.on("error", () => {});
      stream.close(constants.NGHTTP2_CANCEL);
    }
    await sleep(1);
  }
  const { user, system } = cpuUsage(before);
  assert.ok(session.destroyed || session.closed, `still takes requests after ${count} resets`);
  assert.ok((user + system) / 1e6 < 10, "client and server used less than ten seconds of a core");
  await alive(server);
});

const preface = "PRI * HTTP/2.0\r\n\r\nSM\r\n\r\n";
const frame = (type: number, flags: number, stream: number, payload: Buffer = Buffer.alloc(0)): Buffer => {
  const head = Buffer.alloc(9);
  head.writeUIntBE(payload.length, 0, 3);
  head[3] = type;
  head[4] = flags;
  head.writeUInt32BE(stream, 5);
  return Buffer.concat([head, payload]);
};
const settings = frame(4, 0, 0);

test("frames out of order, floods and broken header blocks end the connection, and nothing else", async (t) => {
  const server = await startServer(t);
  const repeated = (count: number, one: Buffer): Buffer => Buffer.concat(new Array<Buffer>(count).fill(one));
  const get = Buffer.from([0x82, 0x86, 0x84, 0x41, 9, ...Buffer.from("localhost")]);
  const attacks: Record<string, Buffer> = {
    "no settings": frame(1, 5, 1, get),
    "data on no stream": Buffer.concat([settings, frame(0, 1, 0, Buffer.from("x"))]),
    "data on a stream that is not open": Buffer.concat([settings, frame(0, 1, 5, Buffer.from("x"))]),
    "headers on an even stream": Buffer.concat([settings, frame(1, 5, 2, get)]),
    "a header block that is none": Buffer.concat([settings, frame(1, 5, 1, Buffer.alloc(100, 0xff))]),
    "a frame of a megabyte": Buffer.concat([settings, frame(0, 0, 1, Buffer.alloc(1_000_000))]),
    "a flood of CONTINUATION": Buffer.concat([
      settings,
      frame(1, 1, 1, get),
      repeated(20_000, frame(9, 0, 1, Buffer.from([0x40, 1, 0x78, 1, 0x79]))),
    ]),
    "a flood of settings": repeated(20_000, settings),
    "a flood of pings": Buffer.concat([settings, repeated(20_000, frame(6, 0, 0, Buffer.alloc(8)))]),
    "a flood of empty data": Buffer.concat([
      settings,
      frame(1, 4, 1, Buffer.concat([Buffer.from([0x83, 0x86, 0x84, 0x41, 9]), Buffer.from("localhost")])),
      repeated(20_000, frame(0, 0, 1)),
    ]),
    "a flood of priorities": Buffer.concat([settings, repeated(20_000, frame(2, 0, 1, Buffer.from([0, 0, 0, 3, 1])))]),
    "a flood of window updates of nothing": Buffer.concat([settings, repeated(1000, frame(8, 0, 0, Buffer.alloc(4)))]),
    "a window that overflows": Buffer.concat([
      settings,
      repeated(3, frame(8, 0, 0, Buffer.from([0x7f, 0xff, 0xff, 0xff]))),
    ]),
    "a stream that depends on itself": Buffer.concat([
      settings,
      frame(1, 0x25, 1, Buffer.concat([Buffer.from([0, 0, 0, 1, 1]), get])),
    ]),
    "upper-case header names": Buffer.concat([
      settings,
      frame(1, 5, 1, Buffer.concat([get, Buffer.from([0x40, 1, 0x58, 1, 0x79])])),
    ]),
    "a line break in a header": Buffer.concat([
      settings,
      frame(1, 5, 1, Buffer.concat([get, Buffer.from([0x40, 1, 0x78, 3, 0x61, 0x0d, 0x0a])])),
    ]),
    "connection in a header": Buffer.concat([
      settings,
      frame(1, 5, 1, Buffer.concat([get, Buffer.from([0x40, 10]), Buffer.from("connection"), Buffer.from([1, 0x79])])),
    ]),
    "two authorities": Buffer.concat([settings, frame(1, 5, 1, Buffer.concat([get, get]))]),
    silence: Buffer.alloc(0),
  };
  const before = cpuUsage();
  for (const [name, bytes] of Object.entries(attacks)) {
    const connection = await RawConnection.open(server.port);
    connection.send(Buffer.concat([Buffer.from(preface), bytes]));
    await Promise.race([connection.closed(1_000).catch(() => {}), sleep(60)]);
    connection.close();
    await alive(server).catch((error: unknown) => assert.fail(`${name}: ${String(error)}`));
  }
  const { user, system } = cpuUsage(before);
  assert.ok((user + system) / 1e6 < 10, `used ${(user + system) / 1e6} s of a core`);
});
