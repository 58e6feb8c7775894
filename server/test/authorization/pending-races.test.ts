import assert from "node:assert/strict";
import { test } from "node:test";
import { slugOf } from "../factor/support.ts";
import { addOwnedOrganization } from "../support/people/owners.ts";
import { addPerson, sessionOf } from "../support/people/people.ts";
import { eachTopology, race } from "../support/servers/nodes.ts";
import type { RestAnswer, TestServer } from "../support/servers/server.ts";

const permissions = "service.internal_permission.v2.InternalPermissionService";
const rounds = 12;

eachTopology((start) => {
  test("when an acceptance and a withdrawal coincide, no role outlives the withdrawal on any node", async (t) => {
    const cluster = await start(t);
    const { first } = cluster;
    const near = await addOwnedOrganization(first, "Near");
    const home = await addOwnedOrganization(first, "Home");
    const person = await addPerson(first, { username: "quetzal", organizationId: home.organizationId });
    const { userId } = person;
    const { token } = await sessionOf(first, person);
    const resource = { organizationId: near.organizationId };
    const offer = { userId, resource, roles: ["ORG_OWNER"] };
    const call = (node: TestServer, method: string, body: object, by: string): Promise<RestAnswer> =>
      node.connect(`${permissions}/${method}`, body, { token: by });
    const seen = new Set<string>();
    for (let round = 0; round < rounds; round++) {
      assert.equal((await call(first, "CreateAdministrator", offer, near.token)).status, 200);
      const [accepted, withdrawn] = await race(2, cluster, (node, index) =>
        index === round % 2
          ? call(node, "AcceptAppointment", offer, token)
          : call(node, "DeleteAdministrator", { userId, resource }, near.token),
      ).then((answers) => (round % 2 === 0 ? answers : answers.toReversed()));
      assert.ok(accepted && withdrawn);
      assert.equal(slugOf(withdrawn), "done");
      assert.ok(["done", "membership.not_offered"].includes(slugOf(accepted)), slugOf(accepted));
      seen.add(slugOf(accepted));
      for (const node of cluster.nodes) {
        const mine = await call(node, "ListAdministrators", {}, token);
        assert.deepEqual(mine.body.administrators ?? [], [], "nothing is left to the person");
        const rename = { body: { name: `Taken ${round}` }, token, headers: { "x-service-orgid": near.organizationId } };
        const taken = await node.rest("PUT", "/management/v1/orgs/me", rename);
        assert.notEqual(taken.status, 200, JSON.stringify(taken.body));
      }
    }
    t.diagnostic(`acceptances were ${[...seen].join(", ")}`);
  });

  test("what was accepted on one node has effect on the other with the next request, and ends with it", async (t) => {
    const cluster = await start(t);
    const { first, other } = cluster;
    const near = await addOwnedOrganization(first, "Near");
    const home = await addOwnedOrganization(first, "Home");
    const person = await addPerson(first, { username: "quetzal", organizationId: home.organizationId });
    const { userId } = person;
    const { token } = await sessionOf(first, person);
    const resource = { organizationId: near.organizationId };
    const offer = { userId, resource, roles: ["ORG_OWNER"] };
    let count = 0;
    const rename = async (node: TestServer): Promise<boolean> => {
      const body = { name: `Near ${++count}` };
      const headers = { "x-service-orgid": near.organizationId };
      return (await node.rest("PUT", "/management/v1/orgs/me", { body, token, headers })).status === 200;
    };
    const call = async (node: TestServer, method: string, body: object, by: string): Promise<void> => {
      const answer = await node.connect(`${permissions}/${method}`, body, { token: by });
      assert.equal(answer.status, 200, JSON.stringify(answer.body));
    };
    await call(first, "CreateAdministrator", offer, near.token);
    assert.deepEqual([await rename(first), await rename(other)], [false, false]);
    await call(other, "AcceptAppointment", offer, token);
    assert.deepEqual([await rename(first), await rename(other)], [true, true]);
    await call(first, "DeleteAdministrator", { userId, resource }, near.token);
    assert.deepEqual([await rename(other), await rename(first)], [false, false]);
  });
});
