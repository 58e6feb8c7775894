import assert from "node:assert/strict";
import { createAccess } from "../../src/call/index.ts";
import { permissionsOf } from "../../src/domain/administrator-access/index.ts";
import { isFreshCaller, mayActForUser } from "../../src/domain/session/index.ts";
import { createOrganizationWithAdministrators } from "../../src/domain/setup/index.ts";
import { testCall } from "../support/operations/call.ts";
import { addPerson, appoint } from "../support/people/people.ts";
import { serversInTurn } from "../support/servers/each-server.ts";

serversInTurn((start, test) => {
  test("an administrator who was removed since the admission makes no organization with administrators", async (t) => {
    const server = await start(t);
    const { domain } = server.app;
    const instanceId = (await domain.findInstanceByHost("localhost"))?.instanceId ?? assert.fail();
    const { userId, organizationId } = await addPerson(server, { username: "leaving" });
    const friend = await addPerson(server, { username: "friend" });
    await appoint(server, { userId }, { instance: true }, ["IAM_OWNER"]);
    // As the call was admitted: passwords of new administrators are hashed between that and the unit of work.
    const permissions = new Set(permissionsOf("IAM_OWNER"));
    const access = createAccess([{ level: "instance", resourceId: "", permissions }]);
    const call = testCall({ instanceId, now: server.clock.now, caller: { userId, organizationId, access } });
    const deps = { ...domain, mayActFor: mayActForUser, isFresh: isFreshCaller };
    const make = (name: string) =>
      createOrganizationWithAdministrators(deps, call, {
        name,
        administrators: [{ userId: friend.userId, roles: ["ORG_OWNER"] }],
      });
    const made = await make("Before");
    const removal = { userId, resource: { instance: true } };
    const positions = "service.internal_permission.v2.InternalPermissionService";
    assert.equal((await server.connect(`${positions}/DeleteAdministrator`, removal)).status, 200);
    await assert.rejects(make("After"), { id: "permission.missing" });

    const listed = await server.connect(`${positions}/ListAdministrators`, {
      filters: [{ inUserIdsFilter: { ids: [friend.userId] } }],
    });
    const held = listed.body.administrators.map((each: { organization?: { id: string } }) => each.organization?.id);
    assert.deepEqual(held, [made.organizationId], JSON.stringify(listed.body));
  });
});
