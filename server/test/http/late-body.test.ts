import assert from "node:assert/strict";
import { randomUUID } from "node:crypto";
import { test } from "node:test";
import { seconds } from "../../src/base/clock.ts";
import { realPng } from "../support/data/pictures.ts";
import { RawConnection, rawRequest } from "../support/http/raw-http.ts";
import { addPerson, appoint, defaultOrganization, type Person, sessionOf } from "../support/people/people.ts";
import { startServer } from "../support/servers/server.ts";

test("a request that is kept open does not outlive the rights of its caller", async (t) => {
  const server = await startServer(t);
  const { host, port } = new URL(server.origin);
  const organizationId = await defaultOrganization(server);
  const made = await server.rest("POST", "/v2/users/new", {
    body: { organizationId, username: "robot", machine: { name: "Robot" } },
  });
  const robotId: string = made.body.id;
  const token = { userId: robotId, expirationDate: "2028-01-01T00:00:00Z" };
  const requests: readonly [name: string, path: string, body: object][] = [
    ["REST", `/v2/users/${robotId}/pats`, { expirationDate: token.expirationDate }],
    ["Connect", "/service.user.v2.UserService/AddPersonalAccessToken", token],
  ];

  /** Sends all but the end of each request, waits until their callers were admitted, and returns how to finish them. */
  const begin = async (by: string) => {
    const open: { name: string; connection: RawConnection; rest: Buffer }[] = [];
    for (const [name, path, body] of requests) {
      const connection = await RawConnection.open(Number(port));
      t.after(() => connection.close());
      const headers = [
        ["host", host],
        ["content-type", "application/json"],
        ["authorization", `Bearer ${by}`],
      ] as const;
      const whole = rawRequest({ method: "POST", path, headers, body: JSON.stringify(body) });
      connection.send(whole.subarray(0, -5));
      open.push({ name, connection, rest: whole.subarray(-5) });
    }
    await new Promise((resolve) => setTimeout(resolve, 200));
    return async (expected: (status: number | undefined, name: string) => void) => {
      for (const { name, connection, rest } of open) {
        connection.send(rest);
        expected((await connection.answer())?.status, name);
      }
    };
  };

  const makeOwner = async (): Promise<Person & { sessionId: string; token: string }> => {
    const person = await addPerson(server, { username: `owner-${randomUUID()}` });
    await appoint(server, person, { instance: true }, ["IAM_OWNER"]);
    return { ...person, ...(await sessionOf(server, person)) };
  };

  const call = async (service: string, method: string, body: object) => {
    const { status } = await server.connect(`service.${service}.v2.${method}`, body);
    assert.equal(status, 200, method);
  };
  const takings: readonly [
    name: string,
    take: (owner: Person & { sessionId: string }) => Promise<void>,
    is: number[],
  ][] = [
    [
      "whose role was removed",
      ({ userId }) =>
        call("internal_permission", "InternalPermissionService/DeleteAdministrator", {
          userId,
          resource: { instance: true },
        }),
      [403, 404],
    ],
    ["who was deactivated", ({ userId }) => call("user", "UserService/DeactivateUser", { userId }), [401]],
    [
      "whose session was ended",
      async ({ sessionId }) => {
        assert.equal((await server.rest("DELETE", `/v2/sessions/${sessionId}`, { body: {} })).status, 200);
      },
      [401],
    ],
  ];
  for (const [name, take, expected] of takings) {
    await t.test(`an administrator ${name}`, async () => {
      const owner = await makeOwner();
      const finish = await begin(owner.token);
      await take(owner);
      server.clock.now += seconds(2);
      await finish((status, transport) => assert.ok(expected.includes(status ?? 0), `${transport}: ${status}`));
    });
  }

  await t.test("one who is still an administrator is answered", async () => {
    const owner = await makeOwner();
    const finish = await begin(owner.token);
    server.clock.now += seconds(20);
    await finish((status, transport) => assert.ok(status === 200 || status === 201, `${transport}: ${status}`));
  });

  await t.test("an upload of a user whose session was ended", async () => {
    for (const isEnded of [true, false]) {
      const owner = await makeOwner();
      const file = new FormData();
      file.set("file", new Blob([new Uint8Array(realPng(9, 9))], { type: "image/png" }), "picture");
      const form = new Response(file);
      const connection = await RawConnection.open(Number(port));
      t.after(() => connection.close());
      const headers = [
        ["host", host],
        ["content-type", form.headers.get("content-type") ?? ""],
        ["authorization", `Bearer ${owner.token}`],
      ] as const;
      const body = Buffer.from(await form.arrayBuffer());
      const whole = rawRequest({ method: "POST", path: "/assets/v1/users/me/avatar", headers, body });
      connection.send(whole.subarray(0, -5));
      await new Promise((resolve) => setTimeout(resolve, 200));
      if (isEnded) await server.rest("DELETE", `/v2/sessions/${owner.sessionId}`, { body: {} });
      server.clock.now += seconds(2);
      connection.send(whole.subarray(-5));
      assert.equal((await connection.answer())?.status, isEnded ? 401 : 200);
    }
  });
});
