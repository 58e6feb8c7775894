import assert from "node:assert/strict";
import { once } from "node:events";
import { connect as connectHttp2 } from "node:http2";
import { connect } from "node:net";
import { test } from "node:test";
import { RawConnection, rawRequest } from "../support/http/raw-http.ts";
import { startServer } from "../support/servers/server.ts";

const connectCall = "/service.user.v2.UserService/GetUserByID";

test("an early answer reaches a client that is still sending a small body, and the connection lives on (Z12)", async (t) => {
  const server = await startServer(t);
  const port = Number(new URL(server.origin).port);
  const host = ["host", new URL(server.origin).host] as const;
  const json = ["content-type", "application/json"] as const;
  const body = JSON.stringify({ userId: "1", filler: "x".repeat(20_000) });
  const cases: readonly [name: string, path: string, status: number][] = [
    ["no token, Connect", connectCall, 401],
    ["an unknown method", "/service.user.v2.UserService/Nonsense", 404],
    ["no token, REST", "/v2/users/new", 401],
    ["no token, upload", "/assets/v1/users/me/avatar", 401],
    ["an unknown path", "/nowhere", 404],
  ];
  for (const [name, path, status] of cases) {
    const connection = await RawConnection.open(port);
    t.after(() => connection.close());
    const whole = rawRequest({ method: "POST", path, headers: [host, json], body });
    const split = whole.length - 10_000;
    connection.send(whole.subarray(0, split));
    await new Promise((resolve) => setTimeout(resolve, 100));
    connection.send(whole.subarray(split));
    const answer = await connection.answer();
    assert.equal(answer?.status, status, name);
    assert.notEqual(answer?.headers.get("connection"), "close", name);
    connection.send(rawRequest({ path: "/debug/healthz", headers: [host] }));
    assert.equal((await connection.answer())?.status, 200, `${name}: the next request on the same connection`);
  }
});

test("a body that is large or never ends is not waited for (Z12)", async (t) => {
  const server = await startServer(t);
  const port = Number(new URL(server.origin).port);
  const host = ["host", new URL(server.origin).host] as const;
  const json = ["content-type", "application/json"] as const;
  const declared: readonly [name: string, path: string, length: string][] = [
    ["large", connectCall, "900000"],
    ["never ends", connectCall, "1000"],
    ["large, REST", "/v2/users/new", "900000"],
    ["never ends, REST", "/management/v1/users/human/_import", "1000"],
    ["large, upload", "/assets/v1/users/me/avatar", "500000"],
    ["large, upload to a branding", "/assets/v1/instance/policy/label/logo", "500000"],
  ];
  for (const [name, path, length] of declared) {
    const connection = await RawConnection.open(port);
    t.after(() => connection.close());
    const started = performance.now();
    connection.send(rawRequest({ method: "POST", path, headers: [host, json, ["content-length", length]], body: "{" }));
    const answer = await connection.answer();
    assert.equal(answer?.status, 401, name);
    assert.equal(answer?.headers.get("connection"), "close", name);
    assert.ok(performance.now() - started < 5_000, name);
    await connection.closed();
  }
});

test("the body of a caller is waited for, in HTTP/1.1 and HTTP/2", async (t) => {
  const server = await startServer(t);
  const { host, port } = new URL(server.origin);
  const body = JSON.stringify({ query: { limit: 1 } });
  const authorization = `Bearer ${server.ownerToken}`;
  const connection = await RawConnection.open(Number(port));
  t.after(() => connection.close());
  const whole = rawRequest({
    method: "POST",
    path: "/v2/users",
    headers: [
      ["host", host],
      ["content-type", "application/json"],
      ["authorization", authorization],
    ],
    body,
  });
  connection.send(whole.subarray(0, -5));
  await new Promise((resolve) => setTimeout(resolve, 200));
  assert.equal(connection.rest, "");
  connection.send(whole.subarray(-5));
  const answer = await connection.answer();
  assert.equal(answer?.status, 200);

  const session = connectHttp2(server.origin);
  t.after(() => session.close());
  const ask = (headers: Readonly<Record<string, string>>) =>
    session.request({ ":method": "POST", ":path": "/v2/users", "content-type": "application/json", ...headers });
  const stranger = ask({});
  stranger.write(body.slice(0, -5));
  assert.equal((await once(stranger, "response"))[0][":status"], 401);
  stranger.close();
  const caller = ask({ authorization });
  const answered = once(caller, "response");
  caller.write(body.slice(0, -5));
  await new Promise((resolve) => setTimeout(resolve, 200));
  caller.end(body.slice(-5));
  assert.equal((await answered)[0][":status"], 200);
  caller.close();
});

test("a source has a share of the bodies that are being received", async (t) => {
  const server = await startServer(t);
  const { host, port } = new URL(server.origin);
  const size = 1024 * 1024 - 1;
  const json = ["content-type", "application/json"] as const;
  const bearer = ["authorization", `Bearer ${server.ownerToken}`] as const;
  const begin = async (localAddress: string) => {
    const socket = connect({ port: Number(port), host: "127.0.0.1", localAddress });
    t.after(() => socket.destroy());
    socket.on("error", () => undefined);
    const headers = [["host", host] as const, json, bearer, ["content-length", `${size}`] as const];
    const request = rawRequest({ method: "POST", path: "/v2/users", headers, body: Buffer.alloc(size - 1, "a") });
    await new Promise((resolve) => socket.write(request, resolve));
    const status = once(socket, "data").then(([bytes]) => Number(String(bytes).slice(9, 12)));
    return { socket, status };
  };
  const held = await Promise.all(Array.from({ length: 33 }, () => begin("127.0.0.2")));
  const refused = await Promise.race(held.map(({ status }) => status));
  assert.equal(refused, 429);
  const other = await begin("127.0.0.3");
  other.socket.write("a");
  assert.equal(await other.status, 400, "another source");
  for (const { socket } of held) socket.destroy();
  await new Promise((resolve) => setTimeout(resolve, 200));
  const again = await begin("127.0.0.2");
  again.socket.write("a");
  assert.equal(await again.status, 400, "once what was sent is given up");
});
