import assert from "node:assert/strict";
import { memoryUsage } from "node:process";
import { type TestContext, test } from "node:test";
import { setTimeout as sleep } from "node:timers/promises";
import { faultsOf } from "../support/http/answers.ts";
import { exchange, RawConnection, rawRequest } from "../support/http/raw-http.ts";
import { startServer, type TestServer } from "../support/servers/server.ts";

const json = ["content-type", "application/json"] as const;
const health = "/debug/healthz";
const limit = 1024 * 1024;

/** Requires an answer with one of these statuses, or that the connection is cut where there is no status. */
async function expect(
  server: TestServer,
  name: string,
  request: Parameters<typeof exchange>[1],
  statuses: readonly (number | undefined)[],
): Promise<void> {
  const answer = await exchange(server.port, request);
  assert.ok(statuses.includes(answer?.status), `${name}: ${answer?.status} ${answer?.body}`);
  // The parser's own refusals have no body and no reference.
  const isOurs = answer?.headers.has("x-request-id") === true;
  const type = answer?.headers.get("content-type") ?? "";
  const protocol = type.startsWith("text/html") ? "page" : type.startsWith("application/json") ? "rest" : "plain";
  if (isOurs) assert.deepEqual(faultsOf(protocol, answer), [], name);
}

const raw = (...lines: string[]): Buffer => Buffer.from(`${lines.join("\r\n")}\r\n\r\n`, "latin1");

test("only the origin form of a target, and exactly one host that we know", async (t) => {
  const server = await startServer(t);
  const targets = [
    "http://localhost/debug/healthz",
    "http://evil.example/",
    "//evil.example/debug/healthz",
    "*",
    "localhost:443",
    "debug/healthz",
    "/../debug/healthz",
    "/debug//healthz",
    "/debug/healthz/",
    "/%2e%2e/debug/healthz",
  ];
  for (const path of targets) await expect(server, path, { path }, [400, 404]);
  await expect(server, "CONNECT", raw("CONNECT localhost:443 HTTP/1.1", "host: localhost"), [undefined, 400, 404, 405]);
  await expect(server, "no host", { path: health, headers: [["host", null]] }, [400]);
  await expect(
    server,
    "two hosts",
    {
      path: health,
      headers: [
        ["host", "localhost"],
        ["host", "evil.example"],
      ],
    },
    [400],
  );
  await expect(
    server,
    "the same host twice",
    {
      path: health,
      headers: [
        ["host", "localhost"],
        ["Host", "localhost"],
      ],
    },
    [400],
  );
  const hosts = [
    "evil.example",
    "127.0.0.1",
    "localhost.evil.example",
    "localhost@evil.example",
    "evil.example/localhost",
    "local host",
    "localhost:99999",
    "[::1]",
    "",
    "x".repeat(300),
    "localhost\u00e9",
    "localhost,evil.example",
    "%6cocalhost",
    "0x7f.1",
  ];
  for (const host of hosts) await expect(server, host, { path: "/v2/users/1", headers: [["host", host]] }, [400, 404]);
});

test("the boundary between two requests is never ambiguous (request smuggling)", async (t) => {
  const server = await startServer(t);
  const token = "POST /oauth/v2/token HTTP/1.1";
  const smuggled = "GET /debug/healthz HTTP/1.1\r\nhost: localhost\r\n\r\n";
  const forms: Record<string, Buffer> = {
    "length and chunks": raw(
      token,
      "host: localhost",
      "content-length: 4",
      "transfer-encoding: chunked",
      "",
      "0\r\n\r\n" + smuggled,
    ),
    "chunks and length": raw(
      token,
      "host: localhost",
      "transfer-encoding: chunked",
      "content-length: 4",
      "",
      "0\r\n\r\n" + smuggled,
    ),
    "two lengths": raw(token, "host: localhost", "content-length: 0", "content-length: 40", "", smuggled),
    "two lengths in one line": raw(token, "host: localhost", "content-length: 0, 40", "", smuggled),
    "a length with a sign": raw(token, "host: localhost", "content-length: +5", "", smuggled),
    "a negative length": raw(token, "host: localhost", "content-length: -1", "", smuggled),
    "a length in hex": raw(token, "host: localhost", "content-length: 0x10", "", smuggled),
    "chunked twice": raw(token, "host: localhost", "transfer-encoding: chunked, chunked", "", "0\r\n\r\n" + smuggled),
    "chunked, but not last": raw(
      token,
      "host: localhost",
      "transfer-encoding: chunked, identity",
      "",
      "0\r\n\r\n" + smuggled,
    ),
    "something like chunked": raw(token, "host: localhost", "transfer-encoding: xchunked", "", "0\r\n\r\n" + smuggled),
    "a tab before chunked": raw(
      token,
      "host: localhost",
      "transfer-encoding:\u000bchunked",
      "",
      "0\r\n\r\n" + smuggled,
    ),
    "a space before the colon": raw(
      token,
      "host: localhost",
      "transfer-encoding : chunked",
      "",
      "0\r\n\r\n" + smuggled,
    ),
    "a folded line": raw(token, "host: localhost", "x: a", " transfer-encoding: chunked", "", "0\r\n\r\n" + smuggled),
    "a bare line feed": Buffer.from(`${token}\nhost: localhost\ncontent-length: 0\n\n${smuggled}`),
    "a bare carriage return": raw(token, "host: localhost\rtransfer-encoding: chunked", "", "0\r\n\r\n" + smuggled),
    "NUL in a header": raw(token, "host: localhost", "x: a\0b", "", smuggled),
    "no name": raw(token, "host: localhost", ": x", "", smuggled),
    "a name with a space": raw(token, "host: localhost", "a b: x", "", smuggled),
    "a chunk of no size": raw(token, "host: localhost", "transfer-encoding: chunked", "", "zz\r\n\r\n" + smuggled),
    "a chunk of too many digits": raw(
      token,
      "host: localhost",
      "transfer-encoding: chunked",
      "",
      `${"f".repeat(17)}\r\n` + smuggled,
    ),
    "a chunk that is too long": raw(
      token,
      "host: localhost",
      "transfer-encoding: chunked",
      "",
      "1\r\nabc\r\n0\r\n\r\n" + smuggled,
    ),
    "chunk extensions without end": raw(
      token,
      "host: localhost",
      "transfer-encoding: chunked",
      "",
      `1;${"x".repeat(20_000)}\r\na\r\n0\r\n\r\n`,
    ),
    "HTTP/0.9": Buffer.from("GET /debug/healthz\r\n\r\n"),
    "HTTP/9.9": raw("GET /debug/healthz HTTP/9.9", "host: localhost"),
    "no method": raw("/debug/healthz HTTP/1.1", "host: localhost"),
    "a method that is none": raw("G\u00e9T /debug/healthz HTTP/1.1", "host: localhost"),
    "an unknown method": raw("BREW /debug/healthz HTTP/1.1", "host: localhost"),
    "bytes of TLS": Buffer.from("16030100c8010000c40303", "hex"),
    "almost HTTP/2": Buffer.from("PRI * HTTP/2.0\r\n\r\nXX\r\n\r\n"),
  };
  for (const [name, bytes] of Object.entries(forms)) {
    const connection = await RawConnection.open(server.port);
    connection.send(bytes);
    const first = await connection.answer();
    assert.ok(
      first === undefined || first.status === 400 || first.status === 413,
      `${name}: ${first?.status} ${first?.body}`,
    );
    // Bytes that follow on this connection belong to no request.
    await connection.closed(3_000).catch(() => assert.fail(`${name}: the connection stays open`));
    assert.doesNotMatch(connection.rest, /HTTP\/1\.1 200/, `${name}: the smuggled request was answered`);
  }
  assert.equal((await server.rest("GET", health, { token: null })).status, 200);
});

test("pipelined requests are answered each, in their order", async (t) => {
  const server = await startServer(t);
  const connection = await RawConnection.open(server.port);
  t.after(() => connection.close());
  const paths = [health, "/oauth/v2/keys", "/nothing", "/auth/v1/healthz", "/oauth/v2/keys"];
  connection.send(
    Buffer.concat(Array.from({ length: 100 }, (_, index) => rawRequest({ path: paths[index % 5] as string }))),
  );
  for (let index = 0; index < 100; index++) {
    const answer = await connection.answer();
    assert.equal(answer?.status, [200, 200, 404, 200, 200][index % 5]);
    if (index % 5 === 1) assert.match(answer?.body ?? "", /"keys"/);
  }
});

test("the number and length of headers are limited", async (t) => {
  const server = await startServer(t);
  const lines = (count: number) => Array.from({ length: count }, (_, index) => [`x-${index}`, "y"] as const);
  await expect(server, "90 lines", { path: health, headers: lines(90) }, [200]);
  await expect(server, "3,000 lines", { path: health, headers: lines(3000) }, [400, 431, undefined]);
  await expect(server, "20 KB in one line", { path: health, headers: [["x", "y".repeat(20_000)]] }, [431]);
  await expect(server, "a megabyte of cookie", { path: health, headers: [["cookie", "y".repeat(1_000_000)]] }, [
    431,
    undefined,
  ]);
  await expect(server, "a long target", { path: `/${"y".repeat(20_000)}` }, [431, 414]);
  // A line that the parser drops silently could be the one that a proxy in front decided by.
  const many = await exchange(server.port, {
    method: "GET",
    path: "/v2/users/1",
    headers: [...lines(150), ["authorization", `Bearer ${server.ownerToken}`]],
  });
  assert.ok(many === undefined || many.status === 431 || many.status === 400, `150 lines: ${many?.status}`);
});

test("a body may not exceed the limit, whatever length it declares", async (t) => {
  const server = await startServer(t);
  const path = "/v2/organizations/_search";
  const owner = ["authorization", `Bearer ${server.ownerToken}`] as const;
  const post = { method: "POST", path, headers: [owner, json] } as const;
  const filled = (length: number): string => `{${" ".repeat(length - 2)}}`;
  await expect(server, "exactly the limit", { ...post, body: filled(limit) }, [200]);
  await expect(server, "one byte more", { ...post, body: filled(limit + 1) }, [413]);
  await expect(server, "declared", { ...post, headers: [...post.headers, ["content-length", "99999999"]] }, [413]);
  const chunk = `10000\r\n${"y".repeat(0x10000)}\r\n`;
  const chunked = Buffer.concat([
    rawRequest({ ...post, headers: [...post.headers, ["transfer-encoding", "chunked"]] }),
    Buffer.from(chunk.repeat(17)),
    Buffer.from("0\r\n\r\n"),
  ]);
  await expect(server, "in chunks", chunked, [413]);
  const short = Buffer.concat([rawRequest({ ...post, body: "{}" }), rawRequest({ path: health })]);
  await expect(server, "as declared, and a next request", short, [200]);
});

test("a client that never stops sending is cut off, and costs no memory", async (t) => {
  const server = await startServer(t);
  const before = memoryUsage().rss;
  const answer = await flood(server);
  assert.ok(memoryUsage().rss - before < 300 * 1024 * 1024, "memory grew");
  assert.match(answer, /^HTTP\/1\.1 413/);
});

/** Sends without end until the server cuts the connection; returns what it said. */
async function flood(server: TestServer): Promise<string> {
  const owner = ["authorization", `Bearer ${server.ownerToken}`] as const;
  const connection = await RawConnection.open(server.port);
  connection.send(
    rawRequest({
      method: "POST",
      path: "/v2/organizations/_search",
      headers: [owner, json, ["transfer-encoding", "chunked"]],
    }),
  );
  const chunk = `100000\r\n${"y".repeat(0x100000)}\r\n`;
  let sent = 0;
  while (!connection.isClosed && sent < 2_000) {
    connection.send(chunk);
    sent++;
    await new Promise((resolve) =>
      connection.socket.writableNeedDrain
        ? connection.socket.once("drain", resolve).once("close", resolve)
        : setImmediate(resolve),
    );
  }
  assert.ok(connection.isClosed, "still listens after 2 GB");
  assert.ok(sent < 200, `took ${sent} MiB`);
  return connection.rest;
}

const slowLimits = { headersTimeout: 600, requestTimeout: 1_200, readTimeout: 1_000, keepAliveTimeout: 500 };

test("slow clients are cut off in time, and hold up no other request", async (t) => {
  const server = await startServer(t, { limits: slowLimits });
  const owner = `authorization: Bearer ${server.ownerToken}\r\n`;
  const begun = {
    "says nothing": "",
    "stops in the first line": "GET /debug/he",
    "stops in the headers": "GET /debug/healthz HTTP/1.1\r\nhost: localhost\r\nx: ",
    "stops before the body": `POST /v2/organizations/_search HTTP/1.1\r\nhost: localhost\r\n${owner}content-length: 10\r\n\r\n`,
    "stops in the body": `POST /v2/organizations/_search HTTP/1.1\r\nhost: localhost\r\n${owner}content-length: 10\r\n\r\n{`,
    "stops in a chunk": "POST /oauth/v2/token HTTP/1.1\r\nhost: localhost\r\ntransfer-encoding: chunked\r\n\r\n5\r\nab",
    "stops in a call":
      "POST /service.user.v2.UserService/ListUsers HTTP/1.1\r\nhost: localhost\r\ncontent-type: application/json\r\ncontent-length: 10\r\n\r\n{",
    "stops in the preface of HTTP/2": "PRI * HTT",
    "is idle after a request": "GET /debug/healthz HTTP/1.1\r\nhost: localhost\r\n\r\n",
  };
  const started = performance.now();
  const slow = await Promise.all(
    Object.values(begun).map(async (bytes) => {
      const connection = await RawConnection.open(server.port);
      connection.send(bytes);
      return connection;
    }),
  );
  // The other connections continue meanwhile.
  const latencies: number[] = [];
  while (performance.now() - started < 500) {
    const before = performance.now();
    assert.equal((await server.rest("GET", health, { token: null })).status, 200);
    latencies.push(performance.now() - before);
    await sleep(5);
  }
  for (const [index, name] of Object.keys(begun).entries()) {
    await (slow[index] as RawConnection).closed(6_000).catch(() => assert.fail(`who ${name} is still there`));
    assert.match(slow[index]?.rest ?? "", /^(HTTP\/1\.1 (408|400|401|200)|$)/, name);
  }
  assert.ok(performance.now() - started < 6_000);
});

test("a client that trickles a byte now and then is cut off as well", async (t) => {
  const server = await startServer(t, { limits: slowLimits });
  const trickle = async (head: string, more: string): Promise<number> => {
    const connection = await RawConnection.open(server.port);
    const started = performance.now();
    connection.send(head);
    while (!connection.isClosed && performance.now() - started < 20_000) {
      connection.send(more);
      await sleep(100);
    }
    connection.close();
    return performance.now() - started;
  };
  const times = await Promise.all([
    trickle("GET /debug/healthz HTTP/1.1\r\nhost: localhost\r\n", "x: y\r\n"),
    trickle(
      "POST /oauth/v2/token HTTP/1.1\r\nhost: localhost\r\ncontent-type: application/x-www-form-urlencoded\r\ncontent-length: 9999\r\n\r\n",
      "a",
    ),
    trickle(
      "POST /service.user.v2.UserService/ListUsers HTTP/1.1\r\nhost: localhost\r\ncontent-type: application/json\r\ncontent-length: 9999\r\n\r\n",
      " ",
    ),
  ]);
  for (const time of times) assert.ok(time < 5_000, times.join());
});

test("a client that does not read its answers is cut off", async (t) => {
  const server = await startServer(t, { limits: slowLimits });
  const connection = await RawConnection.open(server.port);
  t.after(() => connection.close());
  connection.socket.pause();
  const request = rawRequest({ path: "/debug/metrics" });
  const started = performance.now();
  let isClosed = false;
  connection.socket.on("close", () => (isClosed = true));
  while (!isClosed && performance.now() - started < 60_000) {
    connection.send(Buffer.concat(Array.from({ length: 20 }, () => request)));
    await sleep(50);
  }
  assert.ok(isClosed, "still waits for him");
  assert.equal((await server.rest("GET", health, { token: null })).status, 200);
});

test("a hundred idle connections hold up no other client", async (t: TestContext) => {
  const server = await startServer(t);
  const idle = await Promise.all(Array.from({ length: 100 }, () => RawConnection.open(server.port)));
  for (const connection of idle) connection.send("GET / HTT");
  assert.equal((await server.rest("POST", "/v2/organizations/_search", { body: {} })).status, 200);
  for (const connection of idle) connection.close();
});
