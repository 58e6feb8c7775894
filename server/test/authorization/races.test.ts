import assert from "node:assert/strict";
import { test } from "node:test";
import { type Database, sql, text } from "../../src/database/index.ts";
import { createApplicationInProject } from "../../src/domain/application/index.ts";
import { createAuthorization, listAuthorizations, updateAuthorization } from "../../src/domain/authorization/index.ts";
import { deleteProject, removeProjectRole, updateProjectGrant } from "../../src/domain/deletion/index.ts";
import { addProjectRole, createProjectGrant } from "../../src/domain/project/index.ts";
import { eachEngine, makeLocation } from "../support/databases/databases.ts";
import { fixturesOf } from "../support/operations/fixtures.ts";
import { outcomeOf } from "../support/operations/refused.ts";

const everything = {
  filters: [],
  orderBy: "created_at",
  isDescending: false,
  page: { offset: 0, limit: 1000 },
} as const;

/** Counts the rows of a project, whatever a caller may see. */
async function countOf(
  database: Database,
  table: "applications" | "authorizations" | "project_roles",
  projectId: string,
): Promise<number> {
  const name = {
    applications: text("applications"),
    authorizations: text("authorizations"),
    project_roles: text("project_roles"),
  };
  const row = await database.read.maybe<{ count: number }>(sql`select count(*) as "count" from ${name[table]}
    where instance_id = 'instance-1' and project_id = ${projectId}`);
  return row?.count ?? 0;
}

eachEngine((open, engine) => {
  /** Two nodes on one PostgreSQL database; SQLite has one process, so there both are the same. */
  async function nodes(t: Parameters<typeof open>[0]) {
    const at = await makeLocation(t, engine);
    const here = fixturesOf(await open(t, { at }));
    return [here, engine === "postgres" ? fixturesOf(await open(t, { at })) : here] as const;
  }

  test("roles taken away while they are assigned belong to no user afterwards", async (t) => {
    const [here, there] = await nodes(t);
    const { owner } = here;
    const acme = await here.organization("Acme");
    const partner = await here.organization("Partner");
    const users = await Promise.all(Array.from({ length: 8 }, () => here.user(acme)));
    for (let round = 0; round < 4; round++) {
      const { projectId } = await here.project(acme);
      for (const roleKey of ["gone", "lent", "kept"]) {
        await addProjectRole(here, owner, { projectId, roleKey, displayName: roleKey });
      }
      const grant = { projectId, grantedOrganizationId: partner.organizationId };
      await createProjectGrant(here, owner, { ...grant, roleKeys: ["gone", "lent", "kept"] });
      const half = users.slice(0, 4);
      const existing = [];
      for (const { userId } of half) {
        existing.push(await createAuthorization(here, owner, { userId, projectId, roleKeys: ["kept"] }));
      }
      const assign = ({ userId }: { userId: string }, index: number) =>
        outcomeOf(
          createAuthorization(index % 2 === 0 ? here : there, owner, {
            userId,
            projectId,
            organizationId: partner.organizationId,
            roleKeys: ["gone", "lent", "kept"],
          }),
        );
      await Promise.all([
        ...existing.map(({ authorizationId }) =>
          outcomeOf(updateAuthorization(there, owner, { authorizationId, roleKeys: ["gone", "kept"] })),
        ),
        ...users.slice(0, 4).map(assign),
        removeProjectRole(here, owner, { projectId, roleKey: "gone" }),
        outcomeOf(updateProjectGrant(there, owner, { ...grant, roleKeys: ["kept"] })),
        ...users.slice(4).map(assign),
      ]);
      await updateProjectGrant(here, owner, { ...grant, roleKeys: ["kept"] });
      const { rows } = await listAuthorizations(here, owner, {
        ...everything,
        filters: [{ kind: "project", projectId }],
      });
      const roles = new Set(rows.flatMap((row) => row.roles.map(({ roleKey }) => roleKey)));
      assert.ok(!roles.has("gone") && !roles.has("lent"), [...roles].join());
    }
  });

  test("nothing is made in a project while it is deleted", async (t) => {
    const [here, there] = await nodes(t);
    const { owner, database } = here;
    const acme = await here.organization("Acme");
    const { userId } = await here.user(acme);
    for (let round = 0; round < 5; round++) {
      const { projectId } = await here.project(acme);
      const outcomes = await Promise.all([
        ...[here, there].map((fixtures, index) =>
          outcomeOf(
            createApplicationInProject(fixtures, owner, {
              projectId,
              name: `App ${index}`,
              kind: "oidc",
              configuration: {},
            }),
          ),
        ),
        outcomeOf(createAuthorization(there, owner, { userId, projectId, roleKeys: [] })),
        outcomeOf(addProjectRole(there, owner, { projectId, roleKey: "r", displayName: "R" })),
        outcomeOf(deleteProject(here, owner, { projectId })),
      ]);
      assert.ok(
        outcomes.every((outcome) => outcome === "ok" || outcome === "not_found"),
        outcomes.join(),
      );
      for (const table of ["applications", "authorizations", "project_roles"] as const) {
        assert.equal(await countOf(database, table, projectId), 0, table);
      }
    }
  });
});
