import assert from "node:assert/strict";
import { once } from "node:events";
import type { ServerResponse } from "node:http";
import { type AddressInfo, createServer as createNet } from "node:net";
import { type TestContext, test } from "node:test";
import { gzipSync } from "node:zlib";
import {
  createOutbound,
  OutboundError,
  type OutboundFailure,
  type OutboundRequest,
} from "../../../src/base/outbound/index.ts";
import { hostileUrls } from "../../support/hostile/hostile-urls.ts";
import { type Receiver, startReceiver } from "../../support/http/receiver.ts";
import { testCertificate } from "../../support/http/test-certificate.ts";

const loopback = async () => [{ address: "127.0.0.1", family: 4 }];
const dev = { allow: ["127.0.0.0/8"], resolve: loopback };

async function failureOf(sending: Promise<unknown>): Promise<OutboundFailure> {
  const error = await sending.then(
    () => assert.fail("it was answered"),
    (thrown: unknown) => thrown,
  );
  assert.ok(error instanceof OutboundError, String(error));
  return error.failure;
}

/** A receiver that answers with a function, and what becomes of a request to it. */
async function failureWith(
  t: TestContext,
  answer: (response: ServerResponse) => void,
  given: Partial<OutboundRequest> = {},
): Promise<OutboundFailure> {
  const receiver = await startReceiver(t);
  receiver.answer = (_request, response) => answer(response);
  return failureOf(createOutbound(dev)({ url: `${receiver.origin}/x`, ...given }));
}

test("bytes come back as they are, and not as invalid text", async (t) => {
  const receiver = await startReceiver(t);
  const bytes = Buffer.from([0x89, 0x50, 0xff, 0x00, 0xc3]);
  receiver.answer = (_request, response) => response.end(bytes);
  const answer = await createOutbound(dev)({ url: `${receiver.origin}/picture` });
  assert.deepEqual(answer.bytes, bytes);
  assert.equal(answer.body, bytes.toString("utf8"));
});

test("a request is received as it was meant, and its answer is returned", async (t) => {
  const receiver = await startReceiver(t);
  receiver.answer = (_request, response) => response.writeHead(201, { "x-a": "b", "set-cookie": "c=d" }).end("made ✓");
  const answer = await createOutbound(dev)({
    url: `${receiver.origin}/hook?x=1`,
    method: "POST",
    headers: { "content-type": "text/plain" },
    body: "grüße",
  });
  assert.deepEqual([answer.status, answer.header("x-a"), answer.body], [201, "b", "made ✓"]);
  const [{ method, path, headers, body } = assert.fail("nothing arrived")] = receiver.received;
  assert.deepEqual([method, path, body, headers["content-type"]], ["POST", "/hook?x=1", "grüße", "text/plain"]);
  assert.match(headers["user-agent"] ?? "", /^Doorward\//);
  assert.equal(headers.host, `localhost:${receiver.port}`);
  assert.equal(headers.cookie, undefined);
});

test("what has to happen before a request is sent happens with a connection, and stops it when it fails", async (t) => {
  for (const isSecure of [false, true]) {
    const receiver = await startReceiver(t, { isSecure });
    const outbound = createOutbound({ ...dev, trusted: testCertificate.cert });
    const called: number[] = [];
    const beforeSending = async (): Promise<void> => void called.push(receiver.received.length);
    const request = { url: `${receiver.origin}/x`, method: "POST", body: "text" } as const;
    assert.equal((await outbound({ ...request, beforeSending })).status, 200);
    assert.deepEqual([called, receiver.received.map(({ body }) => body)], [[0], ["text"]]);
    const refuse = () => Promise.reject(new Error("not now"));
    await assert.rejects(outbound({ ...request, beforeSending: refuse }), /not now/);
    assert.equal(receiver.received.length, 1);
    const scheme = isSecure ? "https" : "http";
    for (const origin of [`${scheme}://localhost:1`, `${isSecure ? "http" : "https"}://10.0.0.1`]) {
      await failureOf(outbound({ ...request, url: `${origin}/x`, beforeSending }));
    }
    assert.equal(called.length, 1, "nobody is asked for what reaches nobody");
  }
});

test("no hostile URL makes a connection, whatever its name resolves to", async (t) => {
  const receiver = await startReceiver(t);
  const closed = createOutbound({ allow: [], resolve: loopback });
  const authority = `localhost:${receiver.port}`;
  const urls = [
    ...hostileUrls("https", authority, "/callback"),
    ...hostileUrls("http", authority, "/callback"),
    ...["http", "https"].flatMap((scheme) => innerHosts.map((host) => `${scheme}://${host}:${receiver.port}/`)),
    ...["http", "https"].flatMap((scheme) => innerHosts.map((host) => `${scheme}://${host}/latest/meta-data/`)),
  ];
  assert.ok(urls.length > 300, `${urls.length}`);
  for (const url of urls) {
    const failure = await failureOf(closed({ url }));
    assert.ok(failure === "target_refused" || failure === "address_refused", `${JSON.stringify(url)}: ${failure}`);
  }
  assert.equal(receiver.connections, 0);
});

const innerHosts = [
  "localhost",
  "LOCALHOST",
  "localhost.",
  "127.0.0.1",
  "127.1",
  "0x7f000001",
  "2130706433",
  "017700000001",
  "0",
  "0.0.0.0",
  "[::]",
  "[::1]",
  "[0:0:0:0:0:0:0:1]",
  "[::ffff:127.0.0.1]",
  "[::ffff:7f00:1]",
  "[64:ff9b::7f00:1]",
  "[2002:7f00:1::]",
  "169.254.169.254",
  "[fd00:ec2::254]",
  "[fe80::1]",
  "100.100.100.200",
  "168.63.129.16",
  "10.0.0.1",
  "172.16.0.1",
  "192.168.1.1",
  "224.0.0.1",
  "255.255.255.255",
  "metadata.google.internal",
];

test("a name that changes its answer gains nothing: the address that was checked is the one that is used", async (t) => {
  const receiver = await startReceiver(t);
  let asked = 0;
  const rebinding = async () => [{ address: asked++ === 0 ? "192.0.2.1" : "127.0.0.1", family: 4 }];
  const send = createOutbound({ allow: ["192.0.2.0/24"], resolve: rebinding });
  const url = `http://rebind.example:${receiver.port}/`;
  assert.notEqual(await failureOf(send({ url, timeout: 200 })), "address_refused");
  assert.equal(asked, 1, "the name is resolved once for a request");
  assert.equal(await failureOf(send({ url })), "address_refused");
  assert.equal(receiver.connections, 0);
});

test("of several addresses only those that may be reached are tried", async (t) => {
  const receiver = await startReceiver(t);
  const mixed = async () => [
    { address: "::1", family: 6 },
    { address: "10.0.0.1", family: 4 },
    { address: "127.0.0.1", family: 4 },
  ];
  const answer = await createOutbound({ allow: ["127.0.0.1"], resolve: mixed })({ url: receiver.origin });
  assert.equal(answer.status, 200);
  const [request = assert.fail("nothing arrived")] = receiver.received;
  assert.equal(request.headers.host, `localhost:${receiver.port}`);
});

test("the internet is not spoken to without TLS", async () => {
  const send = createOutbound({ allow: [], resolve: async () => [{ address: "1.1.1.1", family: 4 }] });
  assert.equal(await failureOf(send({ url: "http://plain.example/" })), "address_refused");
  assert.equal(await failureOf(send({ url: "http://1.1.1.1/" })), "address_refused");
});

test("redirects are not followed", async (t) => {
  const inner = await startReceiver(t);
  for (const status of [300, 301, 302, 303, 304, 307, 308]) {
    const failure = await failureWith(t, (response) => response.writeHead(status, { location: inner.origin }).end());
    assert.equal(failure, "redirected", `${status}`);
  }
  assert.equal(inner.connections, 0);
});

const wait = new Map<string, (response: ServerResponse) => void>([
  ["never answers", () => {}],
  ["sends half of its head", (response) => void response.socket?.write("HTTP/1.1 200 OK\r\nx-a: ")],
  ["never ends its body", (response) => void response.writeHead(200).write("x")],
  [
    "sends a byte now and then",
    (response) => {
      response.writeHead(200);
      const timer = setInterval(() => response.write("x"), 20).unref();
      response.on("close", () => clearInterval(timer));
    },
  ],
]);
for (const [what, answer] of wait) {
  test(`a server that ${what} is given up`, async (t) => {
    assert.equal(await failureWith(t, answer, { timeout: 150 }), "timed_out");
  });
}

test("an answer that is too large is not read to its end", async (t) => {
  const endless = (response: ServerResponse): void => {
    response.writeHead(200);
    const chunk = "x".repeat(65_536);
    const more = (): void => {
      while (!response.destroyed && response.write(chunk));
    };
    response.on("drain", more);
    more();
  };
  assert.equal(await failureWith(t, endless, { maximumBytes: 100_000 }), "too_large");
  const exact = async (maximumBytes: number): Promise<number> => {
    const receiver = await startReceiver(t);
    receiver.answer = (_request, response) => response.end("12345");
    return (await createOutbound(dev)({ url: receiver.origin, maximumBytes })).body.length;
  };
  assert.equal(await exact(5), 5);
  assert.equal(await failureOf(exact(4)), "too_large");
});

test("a compressed answer, and one that is not HTTP, are refused without a word of what they said", async (t) => {
  const bomb = gzipSync(Buffer.alloc(1_000_000));
  const compressed = (response: ServerResponse): void =>
    void response.writeHead(200, { "content-encoding": "gzip" }).end(bomb);
  assert.equal(await failureWith(t, compressed), "encoded");
  const receiver = await startReceiver(t);
  receiver.answer = (_request, response) => void response.socket?.end("-ERR inner secret 4711\r\n\r\n");
  const error = await createOutbound(dev)({ url: receiver.origin }).catch((thrown: unknown) => thrown);
  assert.ok(error instanceof OutboundError && error.failure === "connection_failed");
  assert.doesNotMatch(`${error.stack} ${String(error.cause)}`, /4711/);
});

test("certificates are verified, with the name", async (t) => {
  const receiver: Receiver = await startReceiver(t, { isSecure: true });
  const url = `https://hooks.example:${receiver.port}/`;
  assert.equal(await failureOf(createOutbound(dev)({ url })), "tls_failed");
  const trusting = createOutbound({ ...dev, trusted: testCertificate.cert });
  assert.equal((await trusting({ url })).status, 200);
  assert.equal(await failureOf(trusting({ url: `https://other.example:${receiver.port}/` })), "tls_failed");
  assert.equal(await failureOf(trusting({ url: `https://127.0.0.1:${receiver.port}/` })), "tls_failed");
  assert.equal(receiver.received.length, 1);
});

test("a name without addresses, a resolver that fails, a closed port and a caller who leaves", async (t) => {
  const url = "https://a.example/";
  assert.equal(await failureOf(createOutbound({ allow: [], resolve: async () => [] })({ url })), "name_not_found");
  const failing = createOutbound({ allow: [], resolve: () => Promise.reject(new Error("EAI_AGAIN")) });
  assert.equal(await failureOf(failing({ url })), "name_not_found");
  assert.equal(await failureOf(createOutbound(dev)({ url: "http://localhost:1/" })), "connection_failed");
  const receiver = await startReceiver(t);
  receiver.answer = () => {};
  const leaving = new AbortController();
  const sending = failureOf(createOutbound(dev)({ url: receiver.origin, signal: leaving.signal }));
  leaving.abort();
  assert.equal(await sending, "aborted");
});

test("what is told of a failure does not describe a network (A31)", async (t) => {
  const shown = async (sending: Promise<unknown>): Promise<string> => {
    const error = await sending.then(
      () => assert.fail("it was answered"),
      (reason: unknown) => reason,
    );
    assert.ok(error instanceof OutboundError, String(error));
    return error.shownFailure;
  };
  const silent = createNet((socket) => void socket.on("error", () => {})).listen(0, "127.0.0.1");
  await once(silent, "listening");
  t.after(() => void silent.close());
  const { port } = silent.address() as AddressInfo;
  const receiver = await startReceiver(t);
  const secure = await startReceiver(t, { isSecure: true });
  const send = (url: string, resolve = dev.resolve) => createOutbound({ ...dev, resolve })({ url, timeout: 300 });
  const cases: readonly [what: string, expected: string, sending: () => Promise<unknown>][] = [
    ["a closed port", "unreachable", () => send("http://localhost:1/")],
    ["a closed port, by TLS", "unreachable", () => send("https://localhost:1/")],
    ["silence instead of TLS", "unreachable", () => send(`https://localhost:${port}/`)],
    ["plain HTTP instead of TLS", "unreachable", () => send(`https://localhost:${receiver.port}/`)],
    ["no such name", "unreachable", () => send("https://a.example/", async () => [])],
    [
      "a private name",
      "unreachable",
      () => send("https://a.example/", async () => [{ address: "10.0.0.1", family: 4 }]),
    ],
    ["a private address", "address_refused", () => send("https://10.0.0.1/")],
    ["a certificate that is not trusted", "tls_failed", () => send(`https://localhost:${secure.port}/`)],
    ["no answer", "timed_out", () => send(`http://localhost:${port}/`)],
  ];
  for (const [what, expected, sending] of cases) assert.equal(await shown(sending()), expected, what);
  receiver.answer = (_request, response) => void response.destroy();
  assert.equal(await shown(send(`${receiver.origin}/`)), "connection_failed", "hung up on a request");
  receiver.answer = (_request, response) => void response.writeHead(302, { location: "/" }).end();
  assert.equal(await shown(send(`${receiver.origin}/`)), "redirected");
});
