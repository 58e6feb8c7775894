import assert from "node:assert/strict";
import { once } from "node:events";
import { type AddressInfo, createServer, type Socket } from "node:net";
import type { TestContext } from "node:test";
import { test } from "node:test";
import { setTimeout } from "node:timers/promises";
import { makeLocation } from "../support/databases/databases.ts";
import { freePort } from "../support/http/free-port.ts";
import { startMailServer } from "../support/http/mail-server.ts";
import { startReceiver } from "../support/http/receiver.ts";
import { startServer, type TestServer } from "../support/servers/server.ts";
import { activate, addProvider, sender } from "./support.ts";

const receiverAddress = "me@mail.example";

const ask = (server: TestServer, host: string, more: object = {}) =>
  server.rest("POST", "/admin/v1/email/smtp/_test", { body: { ...sender, none: {}, host, receiverAddress, ...more } });

/** A server that takes connections, and answers as it is told. */
async function startForeign(t: TestContext, answer: (socket: Socket) => void): Promise<number> {
  const sockets = new Set<Socket>();
  const server = createServer((socket) => {
    sockets.add(socket);
    socket.on("error", () => {});
    answer(socket);
  }).listen(0, "127.0.0.1");
  await once(server, "listening");
  t.after(() => {
    server.close();
    for (const socket of sockets) socket.destroy();
  });
  return (server.address() as AddressInfo).port;
}

test("only mail servers that the operator allowed are tried outside of the internet (A31)", async (t) => {
  const mail = await startMailServer(t);
  const closed = await startServer(t, { config: { mode: "start", outboundAllow: ["127.0.0.0/8"] } });
  const before = mail.connections;
  for (const host of [`127.0.0.1:${mail.port}`, "10.0.0.1:25", "[::1]:587", "169.254.169.254:25", "8.8.8.8:22"]) {
    const { status, body } = await ask(closed, host);
    assert.deepEqual([status, body.details[0].id], [400, "smtp.address_refused"], host);
  }
  const { body } = await ask(closed, `localhost:${mail.port}`);
  assert.equal(body.details[0].id, "smtp.address_refused", "by its name neither");
  assert.equal(mail.connections, before, "nothing was opened");

  const open = await startServer(t, { config: { mode: "start", outboundAllow: [`127.0.0.1:${mail.port}`] } });
  for (const host of [`127.0.0.1:${mail.port}`, `localhost:${mail.port}`]) {
    const answer = await ask(open, host);
    assert.equal(answer.status, 200, JSON.stringify(answer.body));
  }
  assert.equal(mail.received.length, 2);
});

test("closed, silent and foreign ports have one error, after the same time (A31)", async (t) => {
  const silent = await startForeign(t, () => {});
  const ends = await startForeign(t, (socket) => socket.end());
  const speaks = await startForeign(t, (socket) => void socket.write("SSH-2.0-OpenSSH_9.9\r\n"));
  const http = (await startReceiver(t)).port;
  const secure = (await startReceiver(t, { isSecure: true })).port;
  const nobody = await freePort();
  const ports = { silent, ends, speaks, http, nobody };
  const mail = await startMailServer(t);
  const wait = 600;
  const server = await startServer(t, { mailTimeout: wait });
  const seen = new Set<string>();
  const look = async (what: string, host: string, more: object = {}): Promise<void> => {
    const started = performance.now();
    const { status, body } = await ask(server, host, more);
    const took = performance.now() - started;
    assert.equal(body.details[0].id, "smtp.unreachable", `${what}: ${JSON.stringify(body)}`);
    // Timers are early by a millisecond at times.
    assert.ok(took >= wait - 5, `${what} after ${took} ms`);
    seen.add(`${status} ${JSON.stringify(body).replaceAll(host, "HOST")}`);
  };
  for (const [what, port] of Object.entries(ports)) await look(what, `127.0.0.1:${port}`);
  await look("nobody, by TLS", `127.0.0.1:${nobody}`, { tls: true });
  await look("silent, by TLS", `127.0.0.1:${silent}`, { tls: true });
  await look("http, by TLS", `127.0.0.1:${http}`, { tls: true });
  await look("https", `127.0.0.1:${secure}`);
  await look("a name that is none", "mail.invalid:25");
  assert.equal(seen.size, 1, [...seen].join("\n"));
  // A mail server that answers does not have to be that quick.
  const answer = await ask(await startServer(t), mail.host);
  assert.equal(answer.status, 200, JSON.stringify(answer.body));
});

test("a token endpoint cannot be used to look around either (A31)", async (t) => {
  const silent = await startForeign(t, () => {});
  const mail = await startMailServer(t);
  const server = await startServer(t);
  const seen = await Promise.all(
    [`https://localhost:${await freePort()}`, `https://localhost:${silent}`, "https://no-such-name.invalid"].map(
      async (origin) => {
        const started = performance.now();
        const clientCredentials = { clientId: "client", clientSecret: "secret" };
        const xoauth2 = { tokenEndpoint: `${origin}/token`, clientCredentials };
        const { status, body } = await ask(server, mail.host, { none: undefined, user: "login", xoauth2 });
        assert.ok(performance.now() - started >= 4_990, origin);
        return `${status} ${JSON.stringify(body)}`;
      },
    ),
  );
  assert.match(seen[0] ?? "", /smtp\.token_failed/);
  assert.equal(new Set(seen).size, 1, seen.join("\n"));
});

test("a start warns of an active mail server that the rules close (A31)", async (t) => {
  const location = await makeLocation(t, "sqlite");
  const first = await startServer(t, { location });
  const id = await addProvider(first, "/email/smtp", { ...sender, host: "10.20.30.40:25", none: {} });
  await activate(first, `/email/${id}`);
  await first.app.close();
  const restart = async (allow: readonly string[]): Promise<string> => {
    const log: string[] = [];
    const again = await startServer(t, {
      location,
      log,
      ownerToken: first.ownerToken,
      config: { outboundAllow: allow },
    });
    await setTimeout(20);
    await again.app.close();
    return log.filter((line) => line.includes("mail server is not allowed")).join();
  };
  assert.match(await restart([]), /10\.20\.30\.40:25.*DOORWARD_OUTBOUND_ALLOW/);
  assert.equal(await restart(["10.20.30.40"]), "");
});
