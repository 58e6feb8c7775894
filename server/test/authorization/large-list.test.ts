import assert from "node:assert/strict";
import { test } from "node:test";
import { join, type Sql, sql } from "../../src/database/index.ts";
import {
  type AuthorizationFilter,
  createAuthorization,
  deleteAuthorization,
  foldAuthorizationCounts,
  listAuthorizations,
  updateAuthorization,
} from "../../src/domain/authorization/index.ts";
import { removeProjectRole } from "../../src/domain/deletion/index.ts";
import { addProjectRole } from "../../src/domain/project/index.ts";
import { eachEngine } from "../support/databases/databases.ts";
import { type Fixtures, makeFixtures } from "../support/operations/fixtures.ts";

// More than are found and put in order (`planList`), so that both ways to read a list are walked.
const size = 6_000;
const perStatement = 500;

interface Assigned {
  readonly id: string;
  readonly user: string;
  readonly group: string;
  readonly project: number;
  readonly organization: number;
  readonly roles: readonly string[];
}

/**
 * Most are of the first project and organization, and have the first role; some have two, and every tenth is of a
 * group.
 */
function assignedOf(number: number): Assigned {
  const isOfGroup = number % 10 === 0;
  return {
    id: `${100_000 + number}`,
    user: isOfGroup ? "" : `user-${number}`,
    group: isOfGroup ? `group-${number}` : "",
    project: number % 30 === 7 ? 1 : 0,
    organization: number % 12 === 5 ? 1 : 0,
    roles: number % 20 === 3 ? ["writer"] : number % 25 === 4 ? ["reader", "writer"] : ["reader"],
  };
}

const all = Array.from({ length: size }, (_each, number) => assignedOf(number));

async function makeProjects(fixtures: Fixtures) {
  const organizations = [await fixtures.organization("Acme"), await fixtures.organization("Other")] as const;
  const projects = [
    await fixtures.project(organizations[0], {}),
    await fixtures.project(organizations[0], {}),
  ] as const;
  for (const { projectId } of projects) {
    for (const roleKey of ["reader", "writer"]) {
      await addProjectRole(fixtures, fixtures.owner, { projectId, roleKey, displayName: roleKey });
    }
  }
  return {
    organizations: organizations.map((each) => each.organizationId),
    projects: projects.map((each) => each.projectId),
  };
}

async function fill(fixtures: Fixtures, created: Awaited<ReturnType<typeof makeProjects>>): Promise<void> {
  await fixtures.database.touch(fixtures.owner, async (tx) => {
    for (let first = 0; first < size; first += perStatement) {
      const some = all.slice(first, first + perStatement);
      const rows = some.map(({ id, user, group, project, organization }, index) => {
        const ids = sql`${created.projects[project] ?? ""}, ${created.organizations[organization] ?? ""}`;
        return sql`(${tx.instanceId}, ${id}, ${user}, ${group}, ${ids}, '', 'active', 1, ${first + index}, 1)`;
      });
      tx.write(sql`insert into authorizations (instance_id, authorization_id, user_id, group_id, project_id, organization_id, project_grant_id,
        state, sequence, created_at, changed_at) values ${join(rows, ", ")}`);
      const roles = some.flatMap(({ id, roles }) => roles.map((role): Sql => sql`(${tx.instanceId}, ${id}, ${role})`));
      tx.write(
        sql`insert into authorization_roles (instance_id, authorization_id, role_key) values ${join(roles, ", ")}`,
      );
    }
    tx.write(sql`analyze authorizations`);
    tx.write(sql`analyze authorization_roles`);
  });
}

// What is kept, and what it is when it is counted.
const keptCounts = ({ database }: Fixtures): Promise<unknown> =>
  database.read.all(sql`select organization_id, project_id, role_key, assignee, sum(amount) as "amount" from authorization_counts
    group by organization_id, project_id, role_key, assignee having sum(amount) <> 0
    order by organization_id, project_id, role_key, assignee`);
const trueCounts = ({ database }: Fixtures): Promise<unknown> =>
  database.read.all(sql`with counted as (
      select a.organization_id, a.project_id, '' as role_key, case when a.group_id = '' then 'user' else 'group' end as assignee from authorizations a
      union all select a.organization_id, a.project_id, r.role_key, case when a.group_id = '' then 'user' else 'group' end
        from authorization_roles r join authorizations a on a.instance_id = r.instance_id and a.authorization_id = r.authorization_id)
    select organization_id, project_id, role_key, assignee, count(*) as "amount" from (
      select * from counted union all select '', project_id, role_key, assignee from counted
      union all select organization_id, '', role_key, assignee from counted union all select '', '', role_key, assignee from counted) counts
    group by organization_id, project_id, role_key, assignee order by organization_id, project_id, role_key, assignee`);

eachEngine((open) => {
  test("a long list of role assignments shows what it should, and its total is true", async (t) => {
    const fixtures = await makeFixtures(t, open);
    const created = await makeProjects(fixtures);
    await fill(fixtures, created);
    const { projects, organizations } = created;
    const parts: readonly [AuthorizationFilter, (each: Assigned) => boolean][] = [
      [{ kind: "project", projectId: projects[0] ?? "" }, ({ project }) => project === 0],
      [{ kind: "project", projectId: projects[1] ?? "" }, ({ project }) => project === 1],
      [{ kind: "organization", organizationId: organizations[0] ?? "" }, ({ organization }) => organization === 0],
      [{ kind: "organization", organizationId: organizations[1] ?? "" }, ({ organization }) => organization === 1],
      [{ kind: "role_key", method: "equals", roleKey: "reader" }, ({ roles }) => roles.includes("reader")],
      [{ kind: "role_key", method: "equals", roleKey: "writer" }, ({ roles }) => roles.includes("writer")],
      [{ kind: "role_key", method: "equals", roleKey: "none" }, () => false],
      [{ kind: "role_key", method: "ends_with", roleKey: "er" }, () => true],
      [{ kind: "of_users" }, ({ group }) => group === ""],
      [{ kind: "users", userIds: ["user-17", "user-18"] }, ({ user }) => ["user-17", "user-18"].includes(user)],
      [{ kind: "organization", organizationId: "" }, () => false],
    ];
    const one = parts[1] ?? assert.fail();
    const cases = [
      [],
      ...parts.map((part) => [part]),
      ...parts.flatMap((part, index) => parts.slice(0, index).map((other) => [part, other])),
    ].concat(parts.flatMap((part, index) => (index > 1 ? [[part, one, parts[8] ?? one]] : [])));
    const list = (call: Fixtures["owner"], filters: readonly AuthorizationFilter[], offset: number) =>
      listAuthorizations(fixtures, call, {
        filters,
        orderBy: "created_at" as const,
        isDescending: false,
        page: { offset, limit: 5 },
      });
    const manager = fixtures.as([{ role: "ORG_OWNER", level: "organization", resourceId: organizations[1] ?? "" }], {
      userId: "user-18",
    });
    const isSeen = ({ organization, user }: Assigned): boolean => organization === 1 || user === "user-18";
    for (const [call, sees] of [
      [fixtures.owner, () => true],
      [manager, isSeen],
    ] as const) {
      for (const both of cases) {
        const expected = all.filter((each) => sees(each) && both.every(([, holds]) => holds(each)));
        const filters = both.map(([filter]) => filter);
        for (const offset of both.length > 1 ? [0] : [0, Math.max(0, expected.length - 3)]) {
          const { rows, total } = await list(call, filters, offset);
          const shown = rows.map(({ authorizationId }) => authorizationId);
          assert.deepEqual(
            shown,
            expected.slice(offset, offset + 5).map(({ id }) => id),
            JSON.stringify(filters),
          );
          assert.equal(total, expected.length, JSON.stringify(filters));
        }
      }
    }
    assert.deepEqual(await keptCounts(fixtures), await trueCounts(fixtures));
  });

  test("role assignments are counted as they come, change and go, even when counts are put together meanwhile", async (t) => {
    const fixtures = await makeFixtures(t, open);
    const { owner } = fixtures;
    const { projects, organizations } = await makeProjects(fixtures);
    const projectId = projects[0] ?? "";
    const organization = { organizationId: organizations[0] ?? "" };
    const users = await Promise.all(
      Array.from({ length: 8 }, (_each, index) => fixtures.user(organization, `user${index}`)),
    );
    const made = await Promise.all(
      users.map(({ userId }, index) =>
        createAuthorization(fixtures, owner, {
          userId,
          projectId,
          roleKeys: index % 2 === 0 ? ["reader"] : ["reader", "writer"],
        }),
      ),
    );
    assert.deepEqual(await keptCounts(fixtures), await trueCounts(fixtures));
    const [first, second, third, fourth] = made.map(({ authorizationId }) => ({ authorizationId }));
    assert.ok(first && second && third && fourth);
    await Promise.all([
      updateAuthorization(fixtures, owner, { ...first, roleKeys: ["writer"] }),
      foldAuthorizationCounts(fixtures, owner),
      updateAuthorization(fixtures, owner, { ...second, roleKeys: [] }),
      deleteAuthorization(fixtures, owner, third),
      foldAuthorizationCounts(fixtures, owner),
      deleteAuthorization(fixtures, owner, fourth),
    ]);
    assert.deepEqual(await keptCounts(fixtures), await trueCounts(fixtures));
    await removeProjectRole(fixtures, owner, { projectId, roleKey: "reader" });
    await foldAuthorizationCounts(fixtures, owner);
    assert.equal(await foldAuthorizationCounts(fixtures, owner), 0, "nothing is left to put together");
    assert.deepEqual(await keptCounts(fixtures), await trueCounts(fixtures));
  });
});
