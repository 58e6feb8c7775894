import assert from "node:assert/strict";
import { test } from "node:test";
import { RawConnection, rawRequest } from "../support/raw-http.ts";
import { startServer } from "../support/server.ts";

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
  const declared: readonly [name: string, length: string][] = [
    ["large", "900000"],
    ["never ends", "1000"],
  ];
  for (const [name, length] of declared) {
    const connection = await RawConnection.open(port);
    t.after(() => connection.close());
    const started = performance.now();
    connection.send(
      rawRequest({ method: "POST", path: connectCall, headers: [host, json, ["content-length", length]], body: "{" }),
    );
    const answer = await connection.answer();
    assert.equal(answer?.status, 401, name);
    assert.equal(answer?.headers.get("connection"), "close", name);
    assert.ok(performance.now() - started < 5_000, name);
    await connection.closed();
  }
});
