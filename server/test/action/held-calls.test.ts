import assert from "node:assert/strict";
import { randomUUID } from "node:crypto";
import { test } from "node:test";
import { seconds } from "../../src/base/clock.ts";
import { startReceiver } from "../support/http/receiver.ts";
import { addPerson, appoint, defaultOrganization, type Person, sessionOf } from "../support/people/people.ts";
import { startServer } from "../support/servers/server.ts";
import { actionsOf } from "./support/actions.ts";

test("a target that keeps a call does not prolong the rights of its caller", async (t) => {
  const server = await startServer(t);
  const organizationId = await defaultOrganization(server);
  const made = await server.rest("POST", "/v2/users/new", {
    body: { organizationId, username: "robot", machine: { name: "Robot" } },
  });
  const token = { userId: made.body.id as string, expirationDate: "2028-01-01T00:00:00Z" };
  const receiver = await startReceiver(t);
  const actions = actionsOf(server);
  const target = await actions.createTarget(receiver.origin, { timeout: "10s" });
  await actions.set({ request: { method: "/service.user.v2.UserService/AddPersonalAccessToken" } }, [target]);

  const makeOwner = async (): Promise<Person & { sessionId: string; token: string }> => {
    const person = await addPerson(server, { username: `owner-${randomUUID()}` });
    await appoint(server, person, { instance: true }, ["IAM_OWNER"]);
    return { ...person, ...(await sessionOf(server, person)) };
  };

  /** Calls by REST and Connect; `meanwhile` happens before the target lets them continue. Returns the statuses. */
  const hold = async (by: string, meanwhile: () => Promise<unknown>, milliseconds = seconds(2)): Promise<number[]> => {
    const goOn = Promise.withResolvers<void>();
    const isHeld = Promise.withResolvers<void>();
    let held = 0;
    receiver.answer = ({ body }, response) => {
      if (++held === 2) isHeld.resolve();
      const { request } = JSON.parse(body) as { request: unknown };
      response.setHeader("content-type", "application/json");
      void goOn.promise.then(() => response.end(JSON.stringify(request)));
    };
    const { userId, expirationDate } = token;
    const calls = [
      server.rest("POST", `/v2/users/${userId}/pats`, { body: { expirationDate }, token: by }),
      server.connect("service.user.v2.UserService/AddPersonalAccessToken", token, { token: by }),
    ];
    await isHeld.promise;
    await meanwhile();
    server.clock.now += milliseconds;
    goOn.resolve();
    return (await Promise.all(calls)).map(({ status }) => status);
  };
  const succeed = async (service: string, method: string, body: object) => {
    const { status } = await server.connect(`service.${service}.v2.${method}`, body);
    assert.equal(status, 200, method);
  };

  await t.test("an administrator whose role was removed", async () => {
    const owner = await makeOwner();
    const statuses = await hold(owner.token, () =>
      succeed("internal_permission", "InternalPermissionService/DeleteAdministrator", {
        userId: owner.userId,
        resource: { instance: true },
      }),
    );
    for (const status of statuses) assert.ok(status === 403 || status === 404, `${status}`);
  });

  await t.test("an administrator who was deactivated", async () => {
    const owner = await makeOwner();
    const deactivate = () => succeed("user", "UserService/DeactivateUser", { userId: owner.userId });
    assert.deepEqual(await hold(owner.token, deactivate), [401, 401]);
  });

  await t.test("an administrator whose session was ended", async () => {
    const owner = await makeOwner();
    const end = () => server.rest("DELETE", `/v2/sessions/${owner.sessionId}`, { body: {} });
    assert.deepEqual(await hold(owner.token, end), [401, 401]);
  });

  await t.test("one who is still an administrator is answered, however long the target takes", async () => {
    const owner = await makeOwner();
    for (const milliseconds of [0, seconds(200)]) {
      const statuses = await hold(owner.token, async () => undefined, milliseconds);
      for (const status of statuses) assert.ok(status === 200 || status === 201, `${status}`);
    }
  });
});
