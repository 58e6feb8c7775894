import assert from "node:assert/strict";
import { test } from "node:test";
import { type Reader, sql } from "../../src/database/index.ts";
import { createProjectGrant, listProjects } from "../../src/domain/project/index.ts";
import { eachEngine } from "../support/databases/databases.ts";
import { makeFixtures } from "../support/operations/fixtures.ts";
import { outcome } from "../support/operations/outcome.ts";

const many = 1500;
const series = sql`with recursive series(n) as (select 1 union all select n + 1 from series where n < ${many})`;

eachEngine((open) => {
  test("what others have and lend unasked does not make the lists of an organization long", async (t) => {
    const fixtures = await makeFixtures(t, open);
    const { database, owner } = fixtures;
    const ownerOf = ({ organizationId: resourceId }: { organizationId: string }) =>
      fixtures.as([{ role: "ORG_OWNER", level: "organization", resourceId }]);
    const [bank, evil, other] = [
      await fixtures.organization("Bank"),
      await fixtures.organization("Evil"),
      await fixtures.organization("Other"),
    ];
    const own = await fixtures.project(bank);
    const lent = [await fixtures.project(evil), await fixtures.project(evil), await fixtures.project(evil)];
    const lend = (of: { organizationId: string }, projectId: string, call = ownerOf(of)) =>
      outcome(() =>
        createProjectGrant(fixtures, call, { projectId, grantedOrganizationId: bank.organizationId, roleKeys: [] }),
      );
    await database.touch(owner, async (tx) => {
      await tx.run(sql`insert into projects (instance_id, project_id, organization_id, name, name_key, state,
          is_role_assertion_on, is_authorization_required, is_project_access_required, private_labeling, sequence, created_at,
          changed_at)
        ${series} select ${tx.instanceId}, 'p' || n, ${evil.organizationId}, 'p' || n, 'p' || n, 'active', 0, 0, 0,
          'unspecified', 1, n, n from series`);
    });

    // The list of the bank is short, and waits for no turn.
    let count = 0;
    const atLength: Reader = {
      engine: database.engine,
      all: (statement) => {
        count++;
        return database.read.all(statement);
      },
      maybe: (statement) => database.read.maybe(statement),
    };
    const read: Reader = { ...atLength, all: (statement) => database.read.all(statement), atLength };
    const search = { filters: [], orderBy: "created_at", isDescending: false, page: { offset: 0, limit: 10 } } as const;
    const list = (call: typeof owner) => listProjects({ database: { ...database, read } }, call, search);
    const { projects, total } = await list(ownerOf(bank)).then(({ rows, ...rest }) => ({ ...rest, projects: rows }));
    assert.deepEqual([projects.map(({ projectId }) => projectId), total, count], [[own.projectId], 1, 0]);
    assert.equal((await list(owner)).total, many + 4);
    assert.equal(count, 1, "the list of everything is long");

    // All but one of what an owner may lend unasked.
    await database.touch(owner, async (tx) => {
      await tx.run(sql`insert into project_grants (instance_id, grant_id, project_id, organization_id,
          granted_organization_id, state, is_recognized, sequence, created_at, changed_at)
        ${series} select ${tx.instanceId}, 'g' || n, 'p' || n, ${evil.organizationId}, ${bank.organizationId}, 'active', 0, 1, n, n
        from series where n < ${1000}`);
    });
    const outcomes = await Promise.all(lent.map(({ projectId }) => lend(evil, projectId)));
    const refused = "resource_exhausted project_grant.too_many";
    assert.deepEqual(outcomes.toSorted(), ["ok", refused, refused]);
    const left = lent[outcomes.indexOf(refused)]?.projectId ?? "";
    assert.equal(await lend(other, (await fixtures.project(other)).projectId), "ok", "others have their own");
    assert.equal(await lend(evil, left, owner), "ok", "who administers the bank as well has no limit");
    await database.touch(owner, async (tx) => {
      await tx.run(sql`update project_grants set is_recognized = 1
        where instance_id = ${tx.instanceId} and grant_id = 'g1'`);
    });
    assert.equal(await lend(evil, lent[outcomes.lastIndexOf(refused)]?.projectId ?? ""), "ok", "one was accepted");
    assert.equal((await list(ownerOf(bank))).total, 1 + 999 + 4);
  });
});
