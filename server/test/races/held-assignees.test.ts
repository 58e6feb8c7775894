import assert from "node:assert/strict";
import { test } from "node:test";
import { onPostgres } from "../support/databases/databases.ts";
import { beginOutside } from "../support/databases/outside-transaction.ts";
import { addOwnedOrganization } from "../support/people/owners.ts";
import { addPerson } from "../support/people/people.ts";
import { startServer } from "../support/servers/server.ts";

onPostgres(() => {
  test("a partner who waits for a user of theirs keeps no lent project from its owner", async (t) => {
    const server = await startServer(t, { engine: "postgres" });
    const owner = await addOwnedOrganization(server, "Owner");
    const partner = await addOwnedOrganization(server, "Partner");
    const { database, findInstanceByHost } = server.app.domain;
    const { instanceId = "" } = (await findInstanceByHost("localhost")) ?? {};
    const call = (name: string, body: object, token: string) => server.connect(`service.${name}`, body, { token });
    const must = async (name: string, body: object) => {
      const answer = await call(name, body, owner.token);
      assert.equal(answer.status, 200, `${name}: ${JSON.stringify(answer.body)}`);
      return answer.body;
    };
    const projects = "project.v2.ProjectService";
    const { organizationId } = owner;
    const { projectId } = await must(`${projects}/CreateProject`, { organizationId, name: "Shop" });
    const roleKey = "reader";
    await must(`${projects}/AddProjectRole`, { projectId, roleKey, displayName: "Reader" });
    const granted = { projectId, grantedOrganizationId: partner.organizationId, roleKeys: [roleKey] };
    await must(`${projects}/CreateProjectGrant`, granted);
    const create = "authorization.v2.AuthorizationService/CreateAuthorization";
    const of = { projectId, organizationId: partner.organizationId, roleKeys: [roleKey] };

    for (const [username, statement, expected] of [
      ["kept", "select 1 from users where instance_id = $1 and user_id = $2 for update", 200],
      ["deleted", "delete from users where instance_id = $1 and user_id = $2", 400],
    ] as const) {
      const { userId } = await addPerson(server, { username, organizationId: partner.organizationId });
      const outside = await beginOutside(t, database);
      await outside.run(statement, [instanceId, userId]);
      const assigned = call(create, { userId, ...of }, partner.token);
      await outside.untilWaiting(1);
      // In time, because what the partner waits for goes on.
      await must(`${projects}/UpdateProject`, { projectId, name: `Shop of the ${username}` });
      await outside.commit();
      assert.equal((await assigned).status, expected, username);
    }

    const administrators = "internal_permission.v2.InternalPermissionService";
    const resource = { projectGrant: { projectId, organizationId: partner.organizationId } };
    const { userId } = await addPerson(server, { username: "head", organizationId: partner.organizationId });
    for (const [method, role] of [
      ["CreateAdministrator", "PROJECT_GRANT_OWNER_VIEWER"],
      ["UpdateAdministrator", "PROJECT_GRANT_OWNER"],
    ] as const) {
      const outside = await beginOutside(t, database);
      await outside.run("select 1 from users where instance_id = $1 and user_id = $2 for update", [instanceId, userId]);
      const given = call(`${administrators}/${method}`, { userId, resource, roles: [role] }, partner.token);
      await outside.untilWaiting(1);
      await must(`${projects}/UpdateProject`, { projectId, name: `Shop of ${method}` });
      await outside.commit();
      const { status, body } = await given;
      assert.equal(status, 200, JSON.stringify(body));
    }
  });
});
