import assert from "node:assert/strict";
import { test } from "node:test";
import { join, sql, text } from "../../src/database/index.ts";
import { testCall } from "../support/operations/call.ts";
import { defaultOrganization } from "../support/people/people.ts";
import { eachServer } from "../support/servers/each-server.ts";

const keys = Array.from({ length: 2500 }, (_, index) => `r${String(index).padStart(4, "0")}`);
const authorizations = "/service.authorization.v2.AuthorizationService";
const projects = "/service.project.v2.ProjectService";

eachServer((start) => {
  test("a call names a thousand roles at most, and more that exist can be taken", async (t) => {
    const server = await start(t);
    const { database } = server.app.domain;
    const organizationId = await defaultOrganization(server);
    const headers = { "x-service-orgid": organizationId };
    const send = (method: string, body: object) => server.rest("POST", method, { body, headers });
    const ask = async (method: string, body: object) => {
      const { status, body: answer } = await send(method, body);
      assert.equal(status, 200, `${method}: ${JSON.stringify(answer)}`);
      return answer;
    };
    const { projectId } = await ask(`${projects}/CreateProject`, { organizationId, name: "P" });
    for (const from of [0, 1000, 2000]) {
      const roles = keys.slice(from, from + 1000).map((key) => ({ key, displayName: "R" }));
      await ask("/service.management.v1.ManagementService/BulkAddProjectRoles", { projectId, roles });
    }
    const robot = { organizationId, username: "robot", machine: { name: "Robot" } };
    const { id: userId } = await ask("/service.user.v2.UserService/CreateUser", robot);
    const partner = await ask("/service.org.v2.OrganizationService/AddOrganization", { name: "Partner" });
    const grant = { projectId, grantedOrganizationId: partner.organizationId };
    const assignment = { userId, projectId, organizationId };
    const tooMany = keys.slice(0, 1001);
    const most = keys.slice(0, 1000);

    const refused = async (method: string, body: object) => {
      const { status, body: answer } = await send(method, { ...body, roleKeys: tooMany });
      assert.equal(status, 400, method);
      assert.match(JSON.stringify(answer), /roleKeys/);
    };
    await refused(`${authorizations}/CreateAuthorization`, assignment);
    await refused(`${projects}/CreateProjectGrant`, grant);
    const { id } = await ask(`${authorizations}/CreateAuthorization`, { ...assignment, roleKeys: most });
    await ask(`${projects}/CreateProjectGrant`, { ...grant, roleKeys: most });
    await refused(`${authorizations}/UpdateAuthorization`, { id });
    await refused(`${projects}/UpdateProjectGrant`, grant);

    // As they were left by earlier versions.
    const earlier = keys.slice(1000);
    const row = await database.read.maybe<{ grantId: string; instanceId: string }>(
      text(`select grant_id as "grantId", instance_id as "instanceId" from project_grants`),
    );
    const { grantId, instanceId } = row ?? assert.fail();
    const rows = (of: string) =>
      join(
        earlier.map((key) => sql`(${instanceId}, ${of}, ${key})`),
        ", ",
      );
    await database.touch(testCall({ instanceId }), async (tx) => {
      await tx.run(sql`insert into authorization_roles (instance_id, authorization_id, role_key) values ${rows(id)}`);
      await tx.run(sql`insert into project_grant_roles (instance_id, grant_id, role_key) values ${rows(grantId)}`);
    });
    const rolesOf = async (): Promise<readonly number[]> => {
      const { authorizations: found } = await ask(`${authorizations}/ListAuthorizations`, {});
      const { projectGrants } = await ask(`${projects}/ListProjectGrants`, {});
      const listed = found.find((each: { id: string }) => each.id === id);
      return [listed.roles.length, projectGrants[0].grantedRoleKeys.length];
    };
    assert.deepEqual(await rolesOf(), [2500, 2500]);
    await ask(`${authorizations}/UpdateAuthorization`, { id, roleKeys: ["r2499", "r0001"] });
    await ask(`${projects}/UpdateProjectGrant`, { ...grant, roleKeys: ["r2499"] });
    assert.deepEqual(await rolesOf(), [2, 1]);
    const events = await database.read.all<{ type: string; count: number }>(sql`select type as "type",
      count(*) as "count" from events where instance_id = ${instanceId} and aggregate_id in (${id}, ${grantId})
      and type in ('authorization.updated', 'project_grant.updated') group by type order by type`);
    assert.deepEqual(
      events.map(({ type, count }) => [type, Number(count)]),
      [
        ["authorization.updated", 3],
        ["project_grant.updated", 3],
      ],
    );
  });
});
