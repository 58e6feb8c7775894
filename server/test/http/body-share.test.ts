import assert from "node:assert/strict";
import { once } from "node:events";
import { type ClientHttp2Stream, connect as connectHttp2 } from "node:http2";
import { test } from "node:test";
import { startServer } from "../support/servers/server.ts";

const kilo = 1024;
// A source has 256 KiB, a block 512 KiB, the process 2 MiB.
const options = {
  config: { trustedProxies: ["127.0.0.0/8"], bodyLimit: 64 * kilo },
  limits: { maxBodyBytesPerSource: 256 * kilo },
};
const jsonType = "application/json";
const ofForm = { path: "/oauth/v2/token", type: "application/x-www-form-urlencoded" };
const ofCall = { path: "/service.user.v2.UserService/ListUsers", type: jsonType };
const ofRest = { path: "/v2/users", type: jsonType };

const settle = (): Promise<void> => new Promise((resolve) => setTimeout(resolve, 200));

test("the bodies of a site leave room for those of others", async (t) => {
  const server = await startServer(t, options);
  const session = connectHttp2(server.origin);
  t.after(() => session.destroy());
  const authorization = `Bearer ${server.ownerToken}`;
  /** Begins a body; returns its stream, and the statuses of what was answered so far. */
  const begin = (source: string, { path, type }: { path: string; type: string }, bytes: number, more = {}) => {
    const headers = { ":method": "POST", ":path": path, "content-type": type, "x-forwarded-for": source, ...more };
    const stream = session.request(headers);
    const body: { stream: ClientHttp2Stream; status?: number } = { stream };
    stream.on("error", () => undefined);
    stream.on("response", (answer) => (body.status = Number(answer[":status"])));
    // Read, so that it closes when the server ends it, and with it what is still being written.
    stream.resume();
    stream.write(Buffer.alloc(bytes, " "));
    return body;
  };
  const ask = async (source: string, { path, type }: { path: string; type: string }, text: string) => {
    const headers = {
      ":method": "POST",
      ":path": path,
      "content-type": type,
      "x-forwarded-for": source,
      authorization,
    };
    const stream = session.request(headers);
    stream.end(text);
    const [answer] = await once(stream, "response");
    stream.destroy();
    return Number(answer[":status"]);
  };
  const countRefused = (bodies: readonly { status?: number }[]): number =>
    bodies.filter(({ status }) => status === 429).length;
  const stop = async (bodies: readonly { stream: ClientHttp2Stream }[]): Promise<void> => {
    for (const { stream } of bodies) stream.destroy();
    await settle();
  };
  const many = <Made>(count: number, make: (index: number) => Made): Made[] =>
    Array.from({ length: count }, (_, index) => make(index));

  for (const [name, route] of [
    ["a form", ofForm],
    ["a call by Connect", ofCall],
    ["a call by REST", ofRest],
  ] as const) {
    await t.test(`a source has a share: ${name}`, async () => {
      const held = many(7, () => begin("192.0.2.1", route, 50 * kilo, { authorization }));
      await settle();
      assert.equal(countRefused(held), 2);
      assert.equal(await ask("192.0.2.2", ofRest, "{}"), 200, "another source");
      await stop(held);
      const again = many(4, () => begin("192.0.2.1", route, 50 * kilo, { authorization }));
      await settle();
      assert.equal(countRefused(again), 0, "given back");
      await stop(again);
    });
  }

  await t.test("and so has a block of IPv6 networks", async () => {
    const held = many(16, (index) => begin(`2001:db8:1:${index % 8}::1`, ofForm, 50 * kilo));
    await settle();
    assert.equal(countRefused(held), 6);
    await stop(held);
  });

  await t.test("a full process drops bodies of the block that holds most, the first of them", async () => {
    // Eight sources of four bodies, and one that fills the rest.
    const held = many(32, (index) => begin(`192.0.2.${index % 8}`, ofForm, 60 * kilo));
    await settle();
    const rest = many(2, () => begin("192.0.2.100", ofForm, 41 * kilo));
    await settle();
    assert.equal(countRefused(held) + countRefused(rest), 0);
    assert.equal(await ask("198.51.100.1", ofForm, "grant_type=x"), 400, "there is still room");
    const filling = begin("192.0.2.101", ofForm, 3 * kilo);
    await settle();
    assert.equal(await ask("198.51.100.1", ofRest, JSON.stringify({ query: { limit: 1 } }).padEnd(20 * kilo)), 200);
    await settle();
    assert.equal(countRefused(held), 1);
    assert.equal(filling.status, undefined);
    for (const route of [ofForm, ofCall]) {
      const small = begin("198.51.100.2", route, 50 * kilo, { authorization });
      await settle();
      assert.equal(small.status, undefined, "what holds less is kept");
    }
    await stop([...held, ...rest, filling]);
  });

  await t.test("many small chunks count as what they take", async () => {
    const body = begin("192.0.2.1", ofForm, 1);
    for (let count = 0; count < 1200 && body.status === undefined; count++) {
      await new Promise((resolve) => body.stream.write(" ", resolve));
    }
    await settle();
    assert.equal(body.status, 429);
    await stop([body]);
  });

  await t.test("a call that is dropped says so", async () => {
    const held = many(32, (index) => begin(`192.0.2.${index % 8}`, ofCall, 60 * kilo, { authorization }));
    await settle();
    const rest = many(3, (index) => begin(`198.51.100.${index}`, ofForm, 50 * kilo));
    await settle();
    assert.equal(countRefused(rest), 0);
    assert.ok(countRefused(held) >= 1, `${countRefused(held)}`);
    await stop([...held, ...rest]);
  });
});

test("what is open to strangers takes no large message", async (t) => {
  const server = await startServer(t);
  const session = connectHttp2(server.origin);
  t.after(() => session.destroy());
  const begin = (path: string, type: string, bytes: number) => {
    const stream = session.request({ ":method": "POST", ":path": path, "content-type": type });
    stream.on("error", () => undefined);
    stream.write(Buffer.alloc(bytes, " "));
    const status = once(stream, "response").then(([answer]) => Number(answer[":status"]));
    return { stream, status };
  };
  // The first call of a server loads what answers it, which may take a while.
  const refused = async (path: string, type: string, bytes: number): Promise<number> => {
    const { stream, status } = begin(path, type, bytes);
    const code = await status;
    stream.destroy();
    return code;
  };
  const isWaitedFor = async (path: string, type: string, bytes: number): Promise<boolean> => {
    const { stream, status } = begin(path, type, bytes);
    const isAnswered = status.then(() => true);
    const answered = await Promise.race([isAnswered, settle().then(() => false)]);
    isAnswered.catch(() => undefined);
    stream.destroy();
    return !answered;
  };
  const health = "/service.admin.v1.AdminService/Healthz";
  assert.equal(await refused(health, jsonType, 17 * kilo), 429);
  assert.ok(await isWaitedFor(health, jsonType, kilo), "a small one");
  const head = Buffer.alloc(5);
  head.writeUInt32BE(17 * kilo, 1);
  const reflection = session.request({
    ":method": "POST",
    ":path": "/grpc.reflection.v1.ServerReflection/ServerReflectionInfo",
    "content-type": "application/grpc",
    te: "trailers",
  });
  const status = new Promise((resolve) => {
    for (const event of ["response", "trailers"]) {
      reflection.on(event, (headers: Record<string, unknown>) => {
        if (headers["grpc-status"] !== undefined) resolve(headers["grpc-status"]);
      });
    }
  });
  reflection.write(head);
  assert.equal(await status, "8");
  reflection.destroy();
});
