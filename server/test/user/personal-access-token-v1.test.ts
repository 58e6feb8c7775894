import assert from "node:assert/strict";
import { addOrganization, addPerson, appoint, defaultOrganization, sessionOf } from "../support/people/people.ts";
import { serversInTurn } from "../support/servers/each-server.ts";
import type { TestServer } from "../support/servers/server.ts";

async function addRobot(server: TestServer, organizationId: string, username: string): Promise<string> {
  const body = { organizationId, username, machine: { name: username } };
  const made = await server.connect("service.user.v2.UserService/CreateUser", body);
  assert.equal(made.status, 200, JSON.stringify(made.body));
  return made.body.id;
}

serversInTurn((start, test) => {
  test("personal access tokens of the first generation", async (t) => {
    const server = await start(t);
    await t.test(
      "a personal access token is made, found, listed and removed by the first generation of the API",
      async () => {
        const organizationId = await defaultOrganization(server);
        const userId = await addRobot(server, organizationId, "robot");
        const pats = `/management/v1/users/${userId}/pats`;
        const made = await server.rest("POST", pats, { body: { expirationDate: "2030-01-01T00:00:00Z" } });
        assert.equal(made.status, 200, JSON.stringify(made.body));
        const { tokenId, token, details } = made.body;
        assert.equal(details.resourceOwner, organizationId);
        assert.equal(
          (await server.connect("service.user.v2.UserService/GetUserByID", { userId }, { token })).status,
          200,
        );

        const expected = {
          id: tokenId,
          details,
          expirationDate: "2030-01-01T00:00:00Z",
          scopes: ["openid", "profile", "urn:service:iam:user:metadata", "urn:service:iam:user:resourceowner"],
        };
        const found = await server.rest("GET", `${pats}/${tokenId}`);
        assert.deepEqual(found.body, { token: expected });
        server.clock.now += 1000;
        const second = await server.rest("POST", pats, { body: {} });
        const list = (query: object) => server.rest("POST", `${pats}/_search`, { body: { query } });
        const newest = await list({});
        assert.deepEqual(
          newest.body.result.map(({ id }: { id: string }) => id),
          [second.body.tokenId, tokenId],
        );
        assert.equal(newest.body.details.totalResult, 2);
        const oldest = await list({ asc: true, limit: 1 });
        assert.deepEqual([oldest.body.result, oldest.body.details.totalResult], [[expected], 2]);
        assert.equal((await list({ limit: 1001 })).status, 400);
        assert.ok(!JSON.stringify(newest.body).includes(token));

        const removed = await server.rest("DELETE", `${pats}/${tokenId}`);
        assert.equal(removed.status, 200);
        assert.ok(removed.body.details.sequence > details.sequence);
        assert.deepEqual((await server.rest("DELETE", `${pats}/${tokenId}`)).body, removed.body);
        assert.equal((await server.rest("GET", `${pats}/${tokenId}`)).status, 404);
        assert.equal(
          (await server.connect("service.user.v2.UserService/GetUserByID", { userId }, { token })).status,
          401,
        );
      },
    );

    await t.test("users of another organization than the one that the call is about do not exist", async () => {
      const here = await defaultOrganization(server);
      const there = await addOrganization(server, "There");
      const robot = await addRobot(server, there, "robot-there");
      const person = await addPerson(server, { username: "ada", organizationId: there });
      const owner = await addPerson(server, { username: "owner", organizationId: here });
      await appoint(server, owner, { organizationId: here }, ["ORG_OWNER"]);
      const { token } = await sessionOf(server, owner);
      const pats = `/management/v1/users/${robot}/pats`;
      const headers = { "x-service-orgid": there };
      const made = await server.rest("POST", pats, { headers, body: {} });
      assert.equal(made.status, 200);
      const one = `${pats}/${made.body.tokenId}`;
      for (const given of [{}, { token }]) {
        assert.equal((await server.rest("POST", pats, { ...given, body: {} })).status, 404);
        assert.equal((await server.rest("GET", one, given)).status, 404);
        assert.equal((await server.rest("DELETE", one, given)).status, 404);
        const listed = await server.rest("POST", `${pats}/_search`, { ...given, body: {} });
        assert.deepEqual([listed.status, listed.body.result, listed.body.details.totalResult], [200, [], 0]);
      }
      assert.equal((await server.rest("POST", pats, { token, headers, body: {} })).status, 403);
      assert.equal((await server.rest("POST", pats, { token: null, headers, body: {} })).status, 401);
      const ofPerson = await server.rest("POST", `/management/v1/users/${person.userId}/pats`, { headers, body: {} });
      assert.deepEqual([ofPerson.status, ofPerson.body.details[0].id], [400, "user.not_machine"]);
      const past = await server.rest("POST", pats, { headers, body: { expirationDate: "2020-01-01T00:00:00Z" } });
      assert.deepEqual([past.status, past.body.details[0].id], [400, "user.expiry_past"]);
    });
  });
});
