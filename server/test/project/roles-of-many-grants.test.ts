import assert from "node:assert/strict";
import { test } from "node:test";
import { sql } from "../../src/database/index.ts";
import { removeProjectRole } from "../../src/domain/deletion/index.ts";
import { addProjectRole, createProjectGrant } from "../../src/domain/project/index.ts";
import { eachEngine } from "../support/databases/databases.ts";
import { fixturesOf } from "../support/operations/fixtures.ts";

// More together than are read at once.
const [grants, roles] = [5, 4500];

eachEngine((open) => {
  test("events say which roles each grant has left, however many all of them have", async (t) => {
    const deps = fixturesOf(await open(t));
    const { database, owner } = deps;
    const { projectId } = await deps.project(await deps.organization("Acme"));
    await addProjectRole(deps, owner, { projectId, roleKey: "gone", displayName: "Gone" });
    for (let index = 0; index < grants; index++) {
      const { organizationId: grantedOrganizationId } = await deps.organization(`Partner ${index}`);
      await createProjectGrant(deps, owner, { projectId, grantedOrganizationId, roleKeys: ["gone"] });
    }
    await database.touch(owner, (tx) =>
      tx.run(sql`insert into project_grant_roles (instance_id, grant_id, role_key)
        with recursive series(i) as (select 1 union all select i + 1 from series where i < ${roles})
        select ${tx.instanceId}, grant_id, 'r' || cast(i as text) from project_grants, series
          where instance_id = ${tx.instanceId} and project_id = ${projectId}`),
    );
    await removeProjectRole(deps, owner, { projectId, roleKey: "gone" });
    const events = await database.read.all<{ payload: string }>(sql`select payload as "payload" from events
      where type = 'project_grant.updated'`);
    assert.deepEqual(
      events.map(({ payload }) => (JSON.parse(payload) as { readonly roleKeys: readonly string[] }).roleKeys.length),
      new Array(grants).fill(roles),
    );
  });
});
