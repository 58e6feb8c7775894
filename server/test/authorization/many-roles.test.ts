import assert from "node:assert/strict";
import { test } from "node:test";
import { sql } from "../../src/database/index.ts";
import { eachEngine } from "../support/databases/databases.ts";
import { addOwnedOrganization } from "../support/people/owners.ts";
import { startServer } from "../support/servers/server.ts";

const roles = 120;
const assignments = 230;
const grants = 120;

eachEngine((_open, engine) => {
  test("a page of assignments or grants with very many roles ends earlier, and the next one goes on", async (t) => {
    const server = await startServer(t, { engine });
    const { organizationId, token } = await addOwnedOrganization(server, "Acme");
    const call = async (method: string, body: object) => {
      const answer = await server.connect(`service.${method}`, body, { token });
      assert.equal(answer.status, 200, `${method}: ${JSON.stringify(answer.body)}`);
      return answer.body;
    };
    const { projectId } = await call("project.v2.ProjectService/CreateProject", { organizationId, name: "Shop" });
    const { database } = server.app.domain;
    const { instanceId = "" } = (await server.app.domain.findInstanceByHost("localhost")) ?? {};
    // What an organization can store with some hundred calls.
    await database.touch({ instanceId, requestId: "fill", now: server.clock.now, language: "en" }, async (tx) => {
      const numbers = (count: number) =>
        sql`(with recursive n (i) as (select 1 union all select i + 1 from n where i < ${count}) select i from n)`;
      await tx.run(sql`insert into project_roles (instance_id, project_id, role_key, display_name, role_group,
          created_at, changed_at)
        select ${instanceId}, ${projectId}, 'role-' || (1000 + i), '', '', 1, 1 from ${numbers(roles)} as roles`);
      await tx.run(sql`insert into authorizations (instance_id, authorization_id, user_id, group_id, project_id,
          organization_id, project_grant_id, state, sequence, created_at, changed_at)
        select ${instanceId}, cast(100000 + i as text), 'user-' || i, '', ${projectId}, ${organizationId}, '', 'active', 1,
          i, 1 from ${numbers(assignments)} as assignments`);
      await tx.run(sql`insert into authorization_roles (instance_id, authorization_id, role_key)
        select ${instanceId}, a.authorization_id, r.role_key from authorizations a
        join project_roles r on r.instance_id = ${instanceId} and r.project_id = ${projectId}
        where a.instance_id = ${instanceId} and a.project_id = ${projectId}`);
      await tx.run(sql`insert into project_grants (instance_id, grant_id, project_id, organization_id,
          granted_organization_id, state, is_recognized, sequence, created_at, changed_at)
        select ${instanceId}, 'grant-' || i, ${projectId}, ${organizationId}, 'organization-' || i, 'active', 0, 1, i, 1
          from ${numbers(grants)} as grants`);
      await tx.run(sql`insert into project_grant_roles (instance_id, grant_id, role_key)
        select ${instanceId}, g.grant_id, r.role_key from project_grants g
        join project_roles r on r.instance_id = ${instanceId} and r.project_id = ${projectId}
        where g.instance_id = ${instanceId} and g.project_id = ${projectId}`);
    });
    const page = async (offset: number, limit: number) => {
      const body = { pagination: { offset, limit, asc: true }, filters: [{ projectId: { id: projectId } }] };
      return await call("authorization.v2.AuthorizationService/ListAuthorizations", body);
    };
    const few = await page(0, 10);
    assert.deepEqual(
      few.authorizations.map((each: { roles: object[] }) => each.roles.length),
      Array.from({ length: 10 }, () => roles),
    );
    const keys = few.authorizations[0].roles.map(({ key }: { key: string }) => key);
    assert.deepEqual(keys, keys.toSorted(), "in the order of their keys");

    const seen: string[] = [];
    let pages = 0;
    while (seen.length < assignments) {
      const { authorizations, pagination } = await page(seen.length, 1000);
      assert.equal(Number(pagination.totalResult), assignments);
      assert.ok(authorizations.length > 0);
      for (const { id, roles: found } of authorizations) {
        assert.equal(found.length, roles);
        seen.push(id);
      }
      pages++;
    }
    assert.equal(new Set(seen).size, assignments);
    assert.ok(pages > 1, `${pages} pages`);

    // A role is taken from all of them, in units of work that are no longer than a batch, and whose time is charged.
    const remove = (roleKey: string) => call("project.v2.ProjectService/RemoveProjectRole", { projectId, roleKey });
    const inTurns = t.mock.method(database, "changeAtLength");
    await call("project.v2.ProjectService/AddProjectRole", { projectId, roleKey: "unused", displayName: "Unused" });
    await remove("unused");
    assert.equal(inTurns.mock.callCount(), 0, "what is few takes no turn");
    await remove("role-1007");
    assert.equal(inTurns.mock.callCount(), 1);
    const stored = sql`(select role_key from authorization_roles union all select role_key from project_grant_roles)`;
    const left = await database.read.maybe<{ roles: number }>(
      sql`select count(*) as "roles" from ${stored} as stored where role_key = 'role-1007'`,
    );
    assert.equal(Number(left?.roles), 0);
    for (const [type, count] of [
      ["authorization.updated", assignments],
      ["project_grant.updated", grants],
    ] as const) {
      const events = await database.read.all<{ id: string; payload: string }>(
        sql`select aggregate_id as "id", payload from events where type = ${type}`,
      );
      assert.deepEqual([events.length, new Set(events.map(({ id }) => id)).size], [count, count], type);
      const kept = new Set(events.map(({ payload }) => JSON.parse(payload).roleKeys.length));
      assert.deepEqual([...kept], [roles - 1], `${type}: each event has the roles that are left`);
      if (engine === "postgres") {
        const units = await database.read.all<{ events: number }>(sql`select count(*) as "events" from events
          where type = ${type} group by transaction_id`);
        assert.ok(units.length > 2 && units.every(({ events: some }) => Number(some) <= 100), JSON.stringify(units));
      }
    }
  });
});
