import assert from "node:assert/strict";
import { test } from "node:test";
import { sql } from "../../src/database/index.ts";
import { callUser, refusalOf } from "../factor/support.ts";
import { signedIn } from "../login/support/sign-in.ts";
import { testCall } from "../support/operations/call.ts";
import { addPerson, appoint, defaultOrganization, sessionOf } from "../support/people/people.ts";
import { eachServer } from "../support/servers/each-server.ts";

eachServer((start) => {
  test("no account is taken for the hosted login or the operator, whatever its id (A9, A14)", async (t) => {
    const server = await start(t);
    const organizationId = await defaultOrganization(server);
    const manager = await addPerson(server, { username: "usermanager" });
    await appoint(server, manager, { instance: true }, ["IAM_USER_MANAGER"]);
    const { token: byManager } = await sessionOf(server, manager);
    const { database, findInstanceByHost } = server.app.domain;
    const { instanceId = "" } = (await findInstanceByHost("localhost")) ?? {};
    // Earlier versions let them have these ids.
    const rename = async (from: string, to: string) => {
      await database.touch(testCall({ instanceId, now: server.clock.now }), async (tx) => {
        await tx.run(sql`update users set user_id = ${to} where instance_id = ${instanceId} and user_id = ${from}`);
        await tx.run(sql`update personal_access_tokens set user_id = ${to}
          where instance_id = ${instanceId} and user_id = ${from}`);
      });
      return to;
    };
    const addRobot = async (id: string | undefined, name: string) => {
      const body = { organizationId, username: name, machine: { name } };
      const made = await server.rest("POST", "/v2/users/new", { token: byManager, body });
      assert.equal(made.status, 200, JSON.stringify(made.body));
      const userId = String(made.body.id);
      const pat = { token: byManager, body: { expirationDate: "2100-01-01T00:00:00Z" } };
      const token: string = (await server.rest("POST", `/v2/users/${userId}/pats`, pat)).body.token;
      return { userId: id === undefined ? userId : await rename(userId, id), token };
    };
    const robots = [await addRobot(undefined, "control"), await addRobot("login", "login")];
    robots.push(await addRobot("operator", "operator"));
    const [owner, plain] = [
      await addPerson(server, { username: "owner" }),
      await addPerson(server, { username: "plain" }),
    ];
    await appoint(server, owner, { instance: true }, ["IAM_OWNER"]);
    for (const person of [owner, plain]) await signedIn(server, person);

    const search = async (token: string | undefined, userId: string) => {
      const body = { queries: [{ userIdQuery: { id: userId } }] };
      const found = await server.rest("POST", "/v2/sessions/search", { body, ...(token && { token }) });
      return ((found.body.sessions ?? []) as { id: string }[]).map(({ id }) => id);
    };
    const [hosted = ""] = await search(undefined, owner.userId);
    assert.notEqual(hosted, "", "an owner of the instance sees it");
    for (const { userId, token } of robots) {
      assert.deepEqual(await search(token, owner.userId), [], userId);
      await appoint(server, { userId }, { instance: true }, ["IAM_LOGIN_CLIENT"]);
      const path = `/v2/sessions/${hosted}`;
      const taken = await server.rest("PATCH", path, { token, body: { lifetime: "3600s" } });
      assert.equal(taken.status, 403, userId);
      assert.equal(
        await refusalOf(server, "RegisterTOTP", { userId: plain.userId }, token),
        "user.login_client_unproven",
      );

      const checks = { user: { userId: plain.userId }, password: { password: plain.password } };
      const own = await server.rest("POST", "/v2/sessions", { token, body: { checks } });
      const again = { token, body: { lifetime: "3600s" } };
      assert.equal((await server.rest("PATCH", `/v2/sessions/${own.body.sessionId}`, again)).status, 200, "its own");
      assert.equal(await refusalOf(server, "RegisterTOTP", { userId: plain.userId }, token), "done", "and its user's");
      await callUser(server, "RemoveTOTP", { userId: plain.userId });
    }
  });
});
