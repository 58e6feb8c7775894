import assert from "node:assert/strict";
import { test } from "node:test";
import { seconds } from "../../src/base/clock.ts";
import { sql } from "../../src/database/index.ts";
import { addOwnedOrganization } from "../support/people/owners.ts";
import { addPerson, appoint, sessionOf } from "../support/people/people.ts";
import { eachServer } from "../support/servers/each-server.ts";
import { addPeople, idsOf, outcomesOf, runJob } from "./support.ts";

eachServer((start) => {
  test("roles are removed however many the user has in other organizations", async (t) => {
    const server = await start(t);
    const acme = await addOwnedOrganization(server, "Acme");
    const other = await addOwnedOrganization(server, "Other");
    const people = await addPeople(server, acme.organizationId, 1);
    const userId = people[0]?.userId ?? "";
    const owner = await addPerson(server, { username: "owner" });
    await appoint(server, owner, { instance: true }, ["IAM_OWNER"]);
    const { token } = await sessionOf(server, owner);
    const call = async (method: string, body: object) => {
      const answer = await server.connect(`service.${method}`, body, { token });
      assert.equal(answer.status, 200, `${method}: ${JSON.stringify(answer.body)}`);
      return answer.body;
    };
    const { organizationId } = acme;
    const { projectId } = await call("project.v2.ProjectService/CreateProject", { organizationId, name: "Shop" });
    for (const roleKey of ["reader", "writer"]) {
      await call("project.v2.ProjectService/AddProjectRole", { projectId, roleKey, displayName: roleKey });
    }
    const granted = { projectId, grantedOrganizationId: other.organizationId, roleKeys: ["reader"] };
    await call("project.v2.ProjectService/CreateProjectGrant", granted);
    const assign = (of: string, roleKeys: string[]) => {
      server.clock.now += seconds(1);
      const body = { userId, projectId, organizationId: of, roleKeys };
      return call("authorization.v2.AuthorizationService/CreateAuthorization", body);
    };
    const rolesOf = async (of: string): Promise<string[][]> => {
      const filters = [{ inUserIds: { ids: [userId] } }, { organizationId: { id: of } }];
      const { authorizations } = await call("authorization.v2.AuthorizationService/ListAuthorizations", { filters });
      return (authorizations ?? []).map((each: { roles: { key: string }[] }) => each.roles.map(({ key }) => key));
    };
    await assign(organizationId, ["reader", "writer"]);
    // A page ends before that of Acme, which is older.
    const { id } = await assign(other.organizationId, ["reader"]);
    const { database, findInstanceByHost } = server.app.domain;
    const { instanceId = "" } = (await findInstanceByHost("localhost")) ?? {};
    await database.touch({ instanceId, requestId: "fill", now: server.clock.now, language: "en" }, async (tx) => {
      await tx.run(sql`insert into authorization_roles (instance_id, authorization_id, role_key)
        with recursive n (i) as (select 1 union all select i + 1 from n where i < 20000)
        select ${instanceId}, ${id}, 'role-' || i from n`);
    });
    const remove = async (removeRoles: object): Promise<string[]> =>
      outcomesOf(server, await runJob(server, { userIds: idsOf(people), removeRoles }, token));
    assert.deepEqual(await remove({ projectId, roleKeys: ["writer"] }), ["succeeded"]);
    assert.deepEqual(await rolesOf(organizationId), [["reader"]]);
    assert.deepEqual(await remove({ projectId, organizationId, roleKeys: ["reader"] }), ["succeeded"]);
    assert.deepEqual(await rolesOf(organizationId), []);
    assert.equal((await rolesOf(other.organizationId))[0]?.length, 20_001);
  });
});
