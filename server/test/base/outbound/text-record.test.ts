import assert from "node:assert/strict";
import { createSocket } from "node:dgram";
import { once } from "node:events";
import { type TestContext, test } from "node:test";
import { createFairTurns } from "../../../src/base/budget/fair-turns.ts";
import { payerOf, payFor } from "../../../src/base/budget/payer.ts";
import { createLookups, OutboundError } from "../../../src/base/outbound/index.ts";
import { createHasTextRecord } from "../../../src/base/outbound/text-record.ts";
import { startNameServer as startServerOfAddresses } from "../../support/http/name-server.ts";

/** A name server that knows one TXT record (RFC 1035 §4): everything else does not exist. */
async function startNameServer(t: TestContext, name: string, strings: readonly string[]): Promise<string> {
  const socket = createSocket("udp4");
  socket.on("message", (query, { port, address }) => {
    const end = query.indexOf(0, 12);
    const question = query.subarray(12, end + 5);
    const labels = [];
    for (let at = 12; at < end; at += 1 + (query[at] ?? 0))
      labels.push(query.toString("latin1", at + 1, at + 1 + (query[at] ?? 0)));
    const isKnown = labels.join(".").toLowerCase() === name;
    const data = Buffer.concat(strings.map((text) => Buffer.concat([Buffer.from([text.length]), Buffer.from(text)])));
    const answer = Buffer.concat([
      Buffer.from([0xc0, 12, 0, 16, 0, 1, 0, 0, 0, 60, data.length >> 8, data.length & 255]),
      data,
    ]);
    const flags = isKnown ? [0x81, 0x80] : [0x81, 0x83];
    const header = Buffer.from([...query.subarray(0, 2), ...flags, 0, 1, 0, isKnown ? 1 : 0, 0, 0, 0, 0]);
    socket.send(Buffer.concat([header, question, ...(isKnown ? [answer] : [])]), port, address);
  });
  socket.bind(0, "127.0.0.1");
  await once(socket, "listening");
  t.after(() => socket.close());
  return `127.0.0.1:${socket.address().port}`;
}

test("a TXT record is found by its whole value, even when it comes in pieces; anything else is not there", async (t) => {
  const server = await startNameServer(t, "_challenge.acme.example", ["secret", "-token"]);
  const hasTextRecord = createHasTextRecord({ servers: [server] });
  assert.equal(await hasTextRecord("_challenge.acme.example", "secret-token"), true);
  assert.equal(await hasTextRecord("_challenge.acme.example", "secret"), false);
  assert.equal(await hasTextRecord("_challenge.other.example", "secret-token"), false);
});

test("lookups of records and of addresses share the turns of those who cause them (A17)", async (t) => {
  let isSilent = true;
  const { address, asked } = await startServerOfAddresses(t, (name) =>
    name.startsWith("_slow") ? (isSilent ? "silence" : "none") : "192.0.2.7",
  );
  const { resolve, hasTextRecord } = createLookups({ servers: [address] });
  const [source, neighbor] = [payerOf("one", "203.0.113.9"), payerOf("one", "203.0.113.10")];
  const slow = Array.from({ length: 8 }, (_, index) =>
    payFor(source, () => hasTextRecord(`_slow${index}.example`, "token")),
  );
  const own = payFor(source, () => Promise.all([resolve("own.example."), hasTextRecord("_own.example", "token")]));
  const found = await payFor(neighbor, () => resolve("neighbor.example."));
  assert.equal(found[0]?.address, "192.0.2.7");
  await payFor(neighbor, () => hasTextRecord("_neighbor.example", "token"));
  assert.equal(new Set(asked.filter((name) => name.startsWith("_slow"))).size, 8);
  assert.ok(!asked.some((name) => name.includes("own.")), "the ninth lookup of the source waits");
  isSilent = false;
  assert.deepEqual(await Promise.all(slow), new Array(8).fill(false));
  const [addresses] = await own;
  assert.equal(addresses[0]?.address, "192.0.2.7");
  assert.ok(asked.includes("_own.example"));
});

test("a lookup of a record that gets no turn is refused, and not taken for an answer", async (t) => {
  const server = await startNameServer(t, "_challenge.acme.example", ["token"]);
  const turns = createFairTurns({ permits: 1, shares: [1], queueLimits: [0], queueLimit: 0 });
  const hasTextRecord = createHasTextRecord({ servers: [server], turns });
  const ask = () => hasTextRecord("_challenge.acme.example", "token");
  const [first, second] = await Promise.allSettled([ask(), ask()]);
  assert.deepEqual(first, { status: "fulfilled", value: true });
  assert.ok(second.status === "rejected" && second.reason instanceof OutboundError);
  assert.equal(second.reason.failure, "overloaded");
  assert.equal(await ask(), true);
});
