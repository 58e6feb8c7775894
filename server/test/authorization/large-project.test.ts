import assert from "node:assert/strict";
import { test } from "node:test";
import { join, sql } from "../../src/database/index.ts";
import { checkProjectAccess, createAuthorization, listRoleClaims } from "../../src/domain/authorization/index.ts";
import { addProjectRole } from "../../src/domain/project/index.ts";
import { eachEngine } from "../support/databases/databases.ts";
import { makeFixtures } from "../support/operations/fixtures.ts";

const others = 20_000;
const perStatement = 500;

eachEngine((open) => {
  test(`the roles of a user take no longer to find in a project with ${others} assignments`, async (t) => {
    const fixtures = await makeFixtures(t, open);
    const { database, owner } = fixtures;
    const organization = await fixtures.organization("Acme");
    const project = await fixtures.project(organization, { isAuthorizationRequired: true });
    const { projectId } = project;
    await addProjectRole(fixtures, owner, { projectId, roleKey: "reader", displayName: "Reader" });
    const { userId } = await fixtures.user(organization, "ada");
    const { organizationId } = organization;
    await createAuthorization(fixtures, owner, { userId, projectId, organizationId, roleKeys: ["reader"] });
    const read = async (): Promise<void> => {
      const claims = await listRoleClaims(database.read, owner.instanceId, { userId, projectIds: [projectId] });
      assert.deepEqual(Object.keys(claims.get(projectId) ?? {}), ["reader"]);
      const asked = { userId, userOrganizationId: organizationId, project };
      assert.equal(await checkProjectAccess(database.read, owner.instanceId, asked), "allowed");
    };
    await fastest(read);
    const alone = await fastest(read);
    await database.touch(owner, async (tx) => {
      for (let first = 0; first < others; first += perStatement) {
        const numbers = Array.from({ length: perStatement }, (_each, index) => first + index);
        // Every fortieth is of a group, in which Ada is not.
        const assignments = numbers.map((number) => {
          const [user, group] = number % 40 === 0 ? ["", `group-${number}`] : [`user-${number}`, ""];
          return sql`(${tx.instanceId}, ${`assigned-${number}`}, ${user}, ${group}, ${projectId}, ${organizationId}, '', 'active', 1, 1, 1)`;
        });
        tx.write(sql`insert into authorizations (instance_id, authorization_id, user_id, group_id, project_id, organization_id, project_grant_id,
          state, sequence, created_at, changed_at) values ${join(assignments, ", ")}`);
        const roles = numbers.map((number) => sql`(${tx.instanceId}, ${`assigned-${number}`}, 'reader')`);
        tx.write(
          sql`insert into authorization_roles (instance_id, authorization_id, role_key) values ${join(roles, ", ")}`,
        );
      }
    });
    const among = await fastest(read);
    assert.ok(among < alone * 5 + 1, `${among.toFixed(2)} ms among ${others}, ${alone.toFixed(2)} ms alone`);
  });
});

/** Milliseconds of the fastest of some runs: others can only add to it. */
async function fastest(work: () => Promise<void>): Promise<number> {
  let least = Number.POSITIVE_INFINITY;
  for (let run = 0; run < 20; run++) {
    const started = performance.now();
    await work();
    least = Math.min(least, performance.now() - started);
  }
  return least;
}
