import assert from "node:assert/strict";
import { test } from "node:test";
import { hasGainedSince } from "../../src/domain/administrator-access/index.ts";
import { addOwnedOrganization } from "../support/people/owners.ts";
import { addPerson, appoint } from "../support/people/people.ts";
import { eachServer } from "../support/servers/each-server.ts";

eachServer((start) => {
  test("a role that another organization offers is nothing that its user gained", async (t) => {
    const server = await start(t);
    const { database, findInstanceByHost } = server.app.domain;
    const { instanceId = "" } = (await findInstanceByHost("localhost")) ?? {};
    const ada = await addPerson(server, { username: "ada" });
    const strangers = await addOwnedOrganization(server, "Strangers");
    const { organizationId } = strangers;
    const hasGained = () => hasGainedSince(database.read, instanceId, { userId: ada.userId, since: 0 });
    const offer = { userId: ada.userId, resource: { organizationId }, roles: ["ORG_OWNER"] };
    const method = "service.internal_permission.v2.InternalPermissionService/CreateAdministrator";
    assert.equal((await server.connect(method, offer, { token: strangers.token })).status, 200);
    assert.equal(await hasGained(), false);
    await appoint(server, ada, { instance: true }, ["IAM_OWNER_VIEWER"]);
    assert.equal(await hasGained(), true);
  });
});
