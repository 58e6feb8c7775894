import assert from "node:assert/strict";
import { describe, test } from "node:test";
import { reasonWithoutPostgres } from "../support/databases/engines.ts";
import { addOrganization, addPerson, appoint, goodPassword, sessionOf } from "../support/people/people.ts";
import { changeSettings } from "../support/servers/change-settings.ts";
import { startServer } from "../support/servers/server.ts";

for (const engine of ["sqlite", "postgres"] as const) {
  describe(engine, { skip: engine === "postgres" && reasonWithoutPostgres() }, () => {
    test("a session is made with its checks, read, changed, listed and ended", async (t) => {
      const server = await startServer(t, { engine });
      const ada = await addPerson(server, { username: "ada" });
      const made = await server.rest("POST", "/v2/sessions", {
        body: {
          checks: { user: { loginName: ada.loginName }, password: { password: goodPassword } },
          metadata: { cart: Buffer.from("3 apples").toString("base64") },
          userAgent: {
            fingerprintId: "f1",
            ip: "192.0.2.1",
            description: "Test",
            header: { "user-agent": { values: ["t"] } },
          },
          lifetime: "3600s",
        },
      });
      assert.equal(made.status, 201, JSON.stringify(made.body));
      const { sessionId, sessionToken } = made.body;
      assert.match(sessionToken, /^dws_/);
      const { session } = (await server.rest("GET", `/v2/sessions/${sessionId}`)).body;
      assert.equal(session.factors.user.loginName, ada.loginName);
      assert.equal(session.factors.user.id, ada.userId);
      assert.equal(session.factors.user.organizationId, ada.organizationId);
      assert.equal(Date.parse(session.factors.password.verifiedAt), server.clock.now);
      assert.equal(Date.parse(session.expirationDate), server.clock.now + 3_600_000);
      assert.equal(Buffer.from(session.metadata.cart, "base64").toString(), "3 apples");
      assert.deepEqual(session.userAgent.header["user-agent"].values, ["t"]);

      server.clock.now += 1000;
      const set = await server.rest("PATCH", `/v2/sessions/${sessionId}`, {
        body: { metadata: { cart: "", bag: Buffer.from("x").toString("base64") } },
      });
      assert.equal(set.status, 200, JSON.stringify(set.body));
      assert.equal(set.body.details.sequence, 2);
      assert.notEqual(set.body.sessionToken, sessionToken);
      const changed = (await server.rest("GET", `/v2/sessions/${sessionId}`)).body.session;
      assert.deepEqual(Object.keys(changed.metadata), ["bag"]);
      assert.equal(changed.sequence, 2);

      const listed = await server.rest("POST", "/v2/sessions/search", { body: {} });
      assert.equal(listed.body.details.totalResult, 1);
      assert.equal((await server.rest("DELETE", `/v2/sessions/${sessionId}`, { body: {} })).status, 200);
      assert.equal((await server.rest("DELETE", `/v2/sessions/${sessionId}`, { body: {} })).status, 200);
      assert.equal((await server.rest("GET", `/v2/sessions/${sessionId}`)).status, 404);
      assert.equal((await server.rest("POST", "/v2/sessions/search", { body: {} })).body.details.totalResult, 0);
      const late = await server.rest("PATCH", `/v2/sessions/${sessionId}`, { body: {} });
      assert.equal(late.body.details[0].id, "session.terminated");
    });

    test("a session token is good until the next write; after 50 concurrent writes one token is valid", async (t) => {
      const server = await startServer(t, { engine });
      const ada = await addPerson(server, { username: "ada" });
      const first = await sessionOf(server, ada);
      const whoami = async (token: string) =>
        (await server.rest("GET", `/v2/sessions/${first.sessionId}`, { token })).status;
      assert.equal(await whoami(first.token), 200);
      const writes = await Promise.all(
        Array.from({ length: 50 }, (_, index) =>
          server.rest("PATCH", `/v2/sessions/${first.sessionId}`, {
            body: { metadata: { [`key${index}`]: Buffer.from("v").toString("base64") } },
          }),
        ),
      );
      assert.deepEqual(new Set(writes.map(({ status }) => status)), new Set([200]));
      const alive: string[] = [];
      for (const { body } of writes) if ((await whoami(body.sessionToken)) === 200) alive.push(body.sessionToken);
      assert.equal(alive.length, 1);
      assert.equal(await whoami(first.token), 401);
      const { session } = (await server.rest("GET", `/v2/sessions/${first.sessionId}`)).body;
      assert.equal(Object.keys(session.metadata).length, 50, "no write was lost");
      assert.equal(session.sequence, 51);
    });

    test("guesses count, whether a session comes of them or not, and block the password in the end", async (t) => {
      const server = await startServer(t, { engine });
      const ada = await addPerson(server, { username: "ada" });
      await changeSettings(server, "lockout", { maxPasswordAttempts: 5 });
      const guess = (password: string) =>
        server.rest("POST", "/v2/sessions", {
          body: { checks: { user: { userId: ada.userId }, password: { password } } },
        });
      const wrong = await guess("not the password");
      assert.equal(wrong.status, 400);
      assert.equal(wrong.body.code, 3);
      assert.equal(wrong.body.details[0]["@type"], "type.googleapis.com/service.v1.CredentialsCheckError");
      assert.equal(wrong.body.details[0].failedAttempts, 1);
      assert.equal((await server.rest("POST", "/v2/sessions/search", { body: {} })).body.details.totalResult, 0);
      const answers = await Promise.all(Array.from({ length: 20 }, (_, index) => guess(`guess ${index}`)));
      const evaluated = answers.filter(({ body }) => body.details[0].failedAttempts !== undefined);
      assert.equal(evaluated.length, 4);
      const right = await guess(goodPassword);
      assert.equal(right.body.code, 9);
      assert.equal(right.body.details[0].id, "user.password_blocked");
    });

    test("a session stays with its user; ended and expired ones take no writes; checks need a user", async (t) => {
      const server = await startServer(t, { engine });
      const ada = await addPerson(server, { username: "ada" });
      const bob = await addPerson(server, { username: "bob" });
      const { sessionId } = await sessionOf(server, ada);
      const id = async (path: string, body: object, method = "PATCH") =>
        (await server.rest(method, path, { body })).body.details[0]?.id;
      const of = (user: object) => ({ checks: { user } });
      assert.equal(await id(`/v2/sessions/${sessionId}`, of({ userId: bob.userId })), "session.user_change");
      assert.equal(await id(`/v2/sessions/${sessionId}`, of({})), "session.user_check_empty");
      assert.equal(await id("/v2/sessions", of({ userId: "nobody" }), "POST"), "user.not_found");
      assert.equal(
        await id("/v2/sessions", { checks: { password: { password: "x" } } }, "POST"),
        "session.user_missing",
      );
      const idpIntent = { idpIntentId: "1", idpIntentToken: "t" };
      assert.equal(await id("/v2/sessions", { checks: { idpIntent } }, "POST"), "session.user_missing");
      assert.equal(await id("/v2/sessions/unknown", {}), "session.not_found");
      await server.connect("service.user.v2.UserService/DeactivateUser", { userId: bob.userId });
      assert.equal(await id("/v2/sessions", of({ userId: bob.userId }), "POST"), "user.not_active");

      const named = await server.rest("POST", "/v2/sessions", { body: { lifetime: "60s" } });
      const path = `/v2/sessions/${named.body.sessionId}`;
      assert.equal((await server.rest("PATCH", path, { body: of({ userId: ada.userId }) })).status, 200);
      const identified = await server.rest("PATCH", path, { body: {} });
      assert.equal(
        (await server.rest("GET", path, { token: identified.body.sessionToken })).status,
        401,
        "a name proves nobody",
      );
      server.clock.now += 61_000;
      assert.equal(await id(path, {}), "session.expired");
    });

    test("a session token stops with its session, its user and its organization, and by its age", async (t) => {
      const server = await startServer(t, { engine });
      const organizationId = await addOrganization(server, "Acme");
      const users = "service.user.v2.UserService";
      const organizations = "service.org.v2.OrganizationService";
      const ends: [string, (one: { userId: string; sessionId: string }) => Promise<unknown>][] = [
        ["session ended", ({ sessionId }) => server.rest("DELETE", `/v2/sessions/${sessionId}`, { body: {} })],
        ["user deactivated", ({ userId }) => server.connect(`${users}/DeactivateUser`, { userId })],
        ["user locked", ({ userId }) => server.connect(`${users}/LockUser`, { userId })],
        [
          "organization deactivated",
          () => server.connect(`${organizations}/DeactivateOrganization`, { organizationId }),
        ],
      ];
      for (const [name, end] of ends) {
        const person = await addPerson(server, { username: name.replaceAll(" ", "-"), organizationId });
        const { sessionId, token } = await sessionOf(server, person);
        const list = () => server.rest("POST", "/v2/sessions/search", { body: {}, token });
        assert.equal((await list()).body.details.totalResult, 1, name);
        await end({ userId: person.userId, sessionId });
        assert.equal((await list()).status, 401, name);
      }
    });

    test("users see their own sessions, those they made and those of their user agent; administrators what they reach", async (t) => {
      const server = await startServer(t, { engine });
      const organizationId = await addOrganization(server, "Acme");
      const ada = await addPerson(server, { username: "ada" });
      const bob = await addPerson(server, { username: "bob", organizationId });
      const eve = await addPerson(server, { username: "eve", organizationId });
      const viewer = await addPerson(server, { username: "viewer", organizationId });
      const maker = await addPerson(server, { username: "maker" });
      await appoint(server, viewer, { organizationId }, ["ORG_OWNER"]);
      await appoint(server, maker, { instance: true }, ["IAM_LOGIN_CLIENT"]);
      const makerToken = (await sessionOf(server, maker)).token;
      const make = async (person: { userId: string; password: string }, fingerprintId?: string) => {
        const { body } = await server.rest("POST", "/v2/sessions", {
          token: makerToken,
          body: {
            checks: { user: { userId: person.userId }, password: { password: person.password } },
            ...(fingerprintId !== undefined && { userAgent: { fingerprintId } }),
          },
        });
        return { id: body.sessionId as string, token: body.sessionToken as string };
      };
      const a = await make(ada, "f1");
      const b = await make(bob, "f1");
      const e = await make(eve);
      // An empty browser name counts as absent: sessions without one do not share a browser.
      const e2 = await make(eve, "");
      const b2 = await make(bob, "");
      await server.rest("DELETE", `/v2/sessions/${b2.id}`);
      const n = await make(ada, "");
      const byNone = await server.rest("POST", "/v2/sessions/search", { token: e2.token, body: {} });
      const ofEve = (one: { factors: { user: { id: string } } }) => one.factors.user.id === eve.userId;
      assert.ok(byNone.body.sessions.length === 2 && byNone.body.sessions.every(ofEve));
      for (const { id } of [e2, n]) await server.rest("DELETE", `/v2/sessions/${id}`);
      const v = await make(viewer);
      const visible = async (token: string, queries: object[] = []) => {
        const { body } = await server.rest("POST", "/v2/sessions/search", { token, body: { queries } });
        const ids = new Set(body.sessions.map((one: { id: string }) => one.id));
        assert.equal(body.details.totalResult, ids.size, "the total counts what the caller may see");
        return [a, b, e, v].filter(({ id }) => ids.has(id)).map(({ id }) => id);
      };
      assert.deepEqual(await visible(a.token), [a.id, b.id]);
      assert.deepEqual(await visible(e.token), [e.id]);
      assert.deepEqual(await visible(makerToken), [a.id, b.id, e.id, v.id]);
      assert.deepEqual(await visible(server.ownerToken), [a.id, b.id, e.id, v.id]);
      assert.deepEqual(await visible(a.token, [{ userIdQuery: { id: bob.userId } }]), [b.id]);
      assert.deepEqual(await visible(a.token, [{ userAgentQuery: {} }]), [a.id, b.id]);
      assert.deepEqual(await visible(e.token, [{ userAgentQuery: {} }]), []);
      assert.deepEqual(await visible(server.ownerToken, [{ userAgentQuery: { fingerprintId: "f1" } }]), [a.id, b.id]);
      assert.deepEqual(await visible(makerToken, [{ creatorQuery: {} }]), [a.id, b.id, e.id, v.id]);
      assert.deepEqual(await visible(a.token, [{ creatorQuery: {} }]), []);
      assert.deepEqual(await visible(server.ownerToken, [{ idsQuery: { ids: [a.id, "none"] } }]), [a.id]);
      assert.deepEqual(await visible(server.ownerToken, [{ idsQuery: { ids: [] } }]), []);
      const when = new Date(server.clock.now).toISOString();
      const created = (method: string) => [{ creationDateQuery: { creationDate: when, method } }];
      assert.deepEqual(await visible(e.token, created("TIMESTAMP_QUERY_METHOD_EQUALS")), [e.id]);
      assert.deepEqual(await visible(e.token, created("TIMESTAMP_QUERY_METHOD_GREATER")), []);
      assert.deepEqual(await visible(e.token, [{ expirationDateQuery: { expirationDate: when } }]), []);
      assert.equal((await server.rest("POST", "/v2/sessions/search", { body: { queries: [{}] } })).status, 400);

      const get = async (id: string, token: string, query = "") =>
        (await server.rest("GET", `/v2/sessions/${id}${query}`, { token })).status;
      assert.equal(await get(a.id, e.token), 404);
      assert.equal(await get("unknown", e.token), 404);
      assert.equal(
        await get(a.id, e.token, `?sessionToken=${a.token}`),
        200,
        "the session token stands in for the permission",
      );
      assert.equal(await get(a.id, e.token, `?sessionToken=${b.token}`), 404, "but only the session's own");
      assert.equal(await get(b.id, a.token), 200);

      const write = (id: string, token: string, method = "PATCH", body: object = {}) =>
        server.rest(method, `/v2/sessions/${id}`, { token, body });
      assert.equal((await write(e.id, e.token)).status, 404, "writing needs session.write, also for the own session");
      assert.equal((await server.rest("POST", "/v2/sessions", { token: e.token, body: {} })).status, 403);
      assert.equal((await write(a.id, e.token, "DELETE")).status, 404);
      assert.equal((await write(a.id, e.token, "DELETE", { sessionToken: b.token })).status, 404);
      assert.equal((await write(a.id, e.token, "DELETE", { sessionToken: a.token })).status, 200);
      assert.equal((await write(e.id, e.token, "DELETE")).status, 200);
      assert.equal(await get(a.id, server.ownerToken), 404);
    });
  });
}
