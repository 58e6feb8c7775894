import assert from "node:assert/strict";
import { once } from "node:events";
import { connect, Socket } from "node:net";
import { type TestContext, test } from "node:test";
import { createClientAddress } from "../../src/http/client-address.ts";
import { createListener, defaultLimits } from "../../src/http/index.ts";
import { startServer, type TestServer } from "../support/servers/server.ts";

/** Opens a connection from an address of this machine, and returns whether a request on it is answered. */
async function isServed(t: TestContext, { port }: TestServer, localAddress: string): Promise<[boolean, Socket]> {
  const socket = connect({ port, host: "127.0.0.1", localAddress });
  t.after(() => socket.destroy());
  socket.on("error", () => undefined);
  socket.write(`GET /debug/healthz HTTP/1.1\r\nhost: localhost:${port}\r\n\r\n`);
  const [first] = await Promise.race([once(socket, "data"), once(socket, "close")]);
  return [first instanceof Uint8Array, socket];
}

test("a source has a share of the connections, and others come in while it holds them", async (t) => {
  const server = await startServer(t, { limits: { maxConnectionsPerSource: 3 } });
  const held: Socket[] = [];
  for (let count = 0; count < 3; count++) {
    const [served, socket] = await isServed(t, server, "127.0.0.2");
    assert.ok(served, `connection ${count + 1}`);
    held.push(socket);
  }
  assert.equal((await isServed(t, server, "127.0.0.2"))[0], false, "the fourth");
  assert.equal((await isServed(t, server, "127.0.0.3"))[0], true, "another source");
  const [first] = held;
  first?.end();
  first && (await once(first, "close"));
  assert.equal((await isServed(t, server, "127.0.0.2"))[0], true, "once one is closed");
});

test("the networks of a block of IPv6 addresses have a share together", async () => {
  const limits = { ...defaultLimits, maxConnectionsPerSource: 2, maxConnectionsPerBlock: 3 };
  const { server } = createListener(() => assert.fail("no request is sent"), limits);
  // This machine has no addresses of several networks to connect from.
  const open: Socket[] = [];
  const isLetIn = (remoteAddress: string): boolean => {
    const socket = Object.defineProperty(new Socket(), "remoteAddress", { value: remoteAddress });
    server.emit("connection", socket);
    if (!socket.destroyed) open.push(socket);
    return !socket.destroyed;
  };
  const of = (addresses: readonly string[]) => addresses.map(isLetIn);
  assert.deepEqual(of(["2001:db8:7:1::1", "2001:db8:7:1::2", "2001:db8:7:1::3"]), [true, true, false], "a network");
  assert.deepEqual(of(["2001:db8:7:2::1", "2001:db8:7:3::1"]), [true, false], "its block");
  assert.deepEqual(of(["2001:db8:8:1::1", "203.0.113.1", "203.0.113.2", "203.0.113.3"]), [true, true, true, true]);
  const closed = open.map((socket) => once(socket, "close"));
  for (const socket of open) socket.destroy();
  await Promise.all(closed);
  assert.deepEqual(of(["2001:db8:7:3::1"]), [true], "once they are closed");
  for (const socket of open) socket.destroy();
});

test("a trusted proxy has as many connections as it wants", async (t) => {
  const config = { trustedProxies: ["127.0.0.2"] };
  const server = await startServer(t, { config, limits: { maxConnectionsPerSource: 1 } });
  for (let count = 0; count < 3; count++) assert.equal((await isServed(t, server, "127.0.0.2"))[0], true);
});

test("addresses that a proxy forwards with their port are read without it", () => {
  const addressOf = createClientAddress(["10.0.0.0/8"]);
  const rows: readonly (readonly [string, string])[] = [
    ["192.0.2.1:4711", "192.0.2.1"],
    ["[2001:db8::1]:4711", "2001:db8::1"],
    ["[2001:db8::1]", "2001:db8::1"],
    ["2001:db8::1", "2001:db8::1"],
    ["192.0.2.1:4711, 10.0.0.2:80", "192.0.2.1"],
    ["203.0.113.9, unknown", "10.0.0.1"],
    ["203.0.113.9, 192.0.2.1:4711:1", "10.0.0.1"],
  ];
  for (const [forwarded, expected] of rows) assert.equal(addressOf("::ffff:10.0.0.1", forwarded), expected, forwarded);
  assert.equal(addressOf("192.0.2.7", "203.0.113.9"), "192.0.2.7", "no proxy of ours");
});
