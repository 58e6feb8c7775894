import assert from "node:assert/strict";
import { test } from "node:test";
import { sql } from "../../src/database/index.ts";
import { slugOf } from "../factor/support.ts";
import { countStatements } from "../support/databases/counted-statements.ts";
import { testCall } from "../support/operations/call.ts";
import { addOwnedOrganization, addServiceAccount } from "../support/people/owners.ts";
import { addPerson } from "../support/people/people.ts";
import { eachServer } from "../support/servers/each-server.ts";
import type { TestServer } from "../support/servers/server.ts";

const permissions = "service.internal_permission.v2.InternalPermissionService";

/** Gives a user positions on projects that were deleted long ago. */
async function fill(
  { app: { domain } }: TestServer,
  { userId, organizationId, count }: { userId: string; organizationId: string; count: number },
): Promise<void> {
  const instance = (await domain.findInstanceByHost("localhost")) ?? assert.fail();
  await domain.database.touch(testCall({ instanceId: instance.instanceId, now: domain.clock() }), async (tx) => {
    const series = sql`with recursive series(n) as (select 1 union all select n + 1 from series where n < ${count})`;
    await tx.run(sql`insert into memberships (instance_id, level, resource_id, user_id, organization_id, sequence,
        created_at, changed_at) ${series}
      select ${tx.instanceId}, 'project', 'former-' || n, ${userId}, ${organizationId}, 1, ${tx.now}, ${tx.now} from series`);
    await tx.run(sql`insert into membership_roles (instance_id, level, resource_id, user_id, role) ${series}
      select ${tx.instanceId}, 'project', 'former-' || n, ${userId}, 'PROJECT_OWNER' from series`);
  });
}

async function countRows({ app: { domain } }: TestServer, userId: string): Promise<number> {
  const row = await domain.database.read.maybe<{ count: number }>(sql`select
    (select count(*) from memberships where user_id = ${userId})
    + (select count(*) from membership_roles where user_id = ${userId}) as "count"`);
  return Number(row?.count);
}

eachServer((start) => {
  test("a user has at most 1,000 positions; more that exist stay", async (t) => {
    const server = await start(t);
    const { organizationId, token } = await addOwnedOrganization(server, "Home");
    const { userId } = await addServiceAccount(server, organizationId, "collector");
    await fill(server, { userId, organizationId, count: 999 });
    const projects: string[] = [];
    for (const name of ["One", "Two"]) {
      const project = { organizationId, name };
      projects.push((await server.connect("service.project.v2.ProjectService/CreateProject", project)).body.projectId);
    }
    const appoint = (index: number, roles: string[], method = "Create") =>
      server.connect(
        `${permissions}/${method}Administrator`,
        { userId, resource: { projectId: projects[index] }, roles },
        { token },
      );
    assert.equal((await appoint(0, ["PROJECT_OWNER"])).status, 200);
    const refused = await appoint(1, ["PROJECT_OWNER"]);
    assert.deepEqual([refused.status, slugOf(refused)], [429, "membership.too_many"]);
    assert.equal((await appoint(0, ["PROJECT_OWNER_VIEWER"], "Update")).status, 200, "a position that exists");

    const person = await addPerson(server, { username: "former", organizationId });
    await fill(server, { userId: person.userId, organizationId, count: 1200 });
    const filters = [{ inUserIdsFilter: { ids: [person.userId] } }];
    const listed = await server.connect(`${permissions}/ListAdministrators`, { filters }, { token });
    assert.equal(listed.body.pagination.totalResult, "1200");
  });

  test("the positions of a user who is deleted end in portions", async (t) => {
    const server = await start(t);
    const { organizationId } = await addOwnedOrganization(server, "Home");
    const { userId } = await addServiceAccount(server, organizationId, "collector");
    await fill(server, { userId, organizationId, count: 450 });
    // Statements of the unit that deletes the user; portions have units of their own.
    const counted = countStatements(server.app.domain.database);
    const sent = await counted.during(async () => {
      assert.equal((await server.connect("service.user.v2.UserService/DeleteUser", { userId })).status, 200);
    });
    const removals = sent.filter((statement) => statement.startsWith("delete from memberships"));
    assert.ok(removals.length <= 1, `${removals.length} removals in one unit`);
    assert.equal(await countRows(server, userId), 0);
    const events = await server.app.domain.database.read.maybe<{ count: number }>(sql`select count(*) as "count"
      from events where type = 'membership.deleted'`);
    assert.equal(Number(events?.count), 450);
  });
});
