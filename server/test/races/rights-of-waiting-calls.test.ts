import assert from "node:assert/strict";
import { test } from "node:test";
import { hours } from "../../src/base/clock.ts";
import { onPostgres } from "../support/databases/databases.ts";
import { beginOutside } from "../support/databases/outside-transaction.ts";
import { addOwnedOrganization, addServiceAccount } from "../support/people/owners.ts";
import { addPerson, appoint } from "../support/people/people.ts";
import { startServer } from "../support/servers/server.ts";
import { steadyClock } from "./support.ts";

onPostgres(() => {
  test("a change that waited for its turn is refused when the rights of its caller ended meanwhile", async (t) => {
    const server = await startServer(t, { engine: "postgres" });
    const { organizationId, token: owner } = await addOwnedOrganization(server, "Acme");
    const manager = await addServiceAccount(server, organizationId, "manager");
    await appoint(server, manager, { organizationId }, ["ORG_SETTINGS_MANAGER"]);
    const headers = { "x-service-orgid": organizationId };
    const path = "/management/v1/policies/login";
    const set = (method: string, token: string, uri: string) =>
      server.rest(method, path, { token, headers, body: { allowUsernamePassword: true, defaultRedirectUri: uri } });
    const made = await set("POST", manager.token, "https://app.example/made");
    assert.equal(made.status, 200, JSON.stringify(made.body));

    // The first change waits for the row of the organization, and the second for its turn after the first.
    const outside = await beginOutside(t, server.app.domain.database);
    await outside.run("select 1 from organizations where organization_id = $1 for share", [organizationId]);
    const first = set("PUT", owner, "https://app.example/first");
    await outside.untilWaiting(1);
    const second = set("PUT", manager.token, "https://app.example/second");
    const third = set("PUT", owner, "https://app.example/third");
    const me = await server.rest("GET", "/auth/v1/users/me", { token: manager.token });
    assert.equal(me.status, 200);
    await outside.run("select pg_sleep(0.05)", []);
    await outside.run("delete from membership_roles where user_id = $1", [manager.userId]);
    await outside.commit();

    assert.deepEqual([(await first).status, (await third).status], [200, 200], "others go on");
    const refused = await second;
    // 403 where it was admitted only after the rights had ended.
    assert.ok([429, 403].includes(refused.status), JSON.stringify(refused.body));
    assert.equal((await set("PUT", manager.token, "https://app.example/again")).status, 403, "and told why");
    const { policy } = (await server.rest("GET", path, { token: owner, headers })).body;
    assert.equal(policy.defaultRedirectUri, "https://app.example/third");
  });

  test("a message that opens an account is sent by an owner who lost another position while the call waited", async (t) => {
    const server = await startServer(t, { engine: "postgres" });
    const { organizationId, token, userId: ownerId } = await addOwnedOrganization(server, "Acme");
    const { userId } = await addPerson(server, { username: "vera", organizationId });
    await appoint(server, { userId }, { organizationId }, ["ORG_OWNER_VIEWER"]);
    const own = async (name: string) => {
      const project = { organizationId, name };
      const made = await server.connect("service.project.v2.ProjectService/CreateProject", project, { token });
      await appoint(server, { userId: ownerId }, { projectId: made.body.projectId }, ["PROJECT_OWNER"]);
    };
    const send = (method: string) =>
      server.connect(`service.user.v2.UserService/${method}`, { userId, sendLink: {} }, { token });
    /** Sends while the user is busy, and takes the positions of a level from the owner meanwhile. */
    const sendWithout = async (method: string, level: string) => {
      server.clock.now += hours(1);
      const outside = await beginOutside(t, server.app.domain.database);
      // What was sent before is replaced, after it was decided where the message goes.
      await outside.run("select 1 from one_time_secrets where subject_id = $1 for update", [userId]);
      const sent = send(method);
      await outside.untilWaiting(1);
      await outside.run("select pg_sleep(0.15)", []);
      await outside.run("delete from membership_roles where user_id = $1 and level = $2", [ownerId, level]);
      await outside.commit();
      return sent;
    };
    for (const method of ["PasswordReset", "CreatePasskeyRegistrationLink"]) {
      await own(method);
      assert.equal((await send(method)).status, 200);
      const { status, body } = await sendWithout(method, "project");
      assert.equal(status, 200, `${method}: ${JSON.stringify(body)}`);
    }
    assert.equal((await sendWithout("PasswordReset", "organization")).status, 429, "but not by one who is none");
  });

  test("a user is unlocked although a position that only more would need is given and taken meanwhile", async (t) => {
    const server = await startServer(t, { engine: "postgres" });
    const wait = steadyClock(t);
    const bank = await addOwnedOrganization(server, "Bank");
    const mallory = await addOwnedOrganization(server, "Mallory");
    const { body } = await server.connect("service.project.v2.ProjectService/CreateProject", {
      organizationId: mallory.organizationId,
      name: "Bait",
    });
    const resource = { projectId: body.projectId };
    const manager = await addServiceAccount(server, bank.organizationId, "manager");
    const locked = await addServiceAccount(server, bank.organizationId, "locked");
    await appoint(server, manager, { organizationId: bank.organizationId }, ["ORG_USER_MANAGER"]);
    for (const { userId } of [manager, locked]) await appoint(server, { userId }, resource, ["PROJECT_OWNER"]);
    const users = "service.user.v2.UserService";
    const { userId } = locked;
    const isLocked = await server.connect(`${users}/LockUser`, { userId }, { token: manager.token });
    assert.equal(isLocked.status, 200, JSON.stringify(isLocked.body));

    const outside = await beginOutside(t, server.app.domain.database);
    await outside.run("select 1 from users where user_id = $1 for update", [userId]);
    const unlocking = server.connect(`${users}/UnlockUser`, { userId }, { token: manager.token });
    await outside.untilWaiting(1);
    wait(1000);
    await outside.run("delete from membership_roles where user_id = $1 and level = 'project'", [manager.userId]);
    await outside.commit();
    const { status, body: answer } = await unlocking;
    assert.equal(status, 200, JSON.stringify(answer));
  });
});
