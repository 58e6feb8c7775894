import assert from "node:assert/strict";
import { test } from "node:test";
import pg from "pg";
import { type Database, type Sql, sql } from "../../src/database/index.ts";
import { clientSettings } from "../../src/database/postgres/settings.ts";
import { listAuthorizations } from "../../src/domain/authorization/index.ts";
import { makeLocation, onPostgres } from "../support/databases/databases.ts";
import { noteStatements } from "../support/databases/noted-statements.ts";
import { mostRowsOf, type Node } from "../support/databases/touched-rows.ts";
import { type Fixtures, makeFixtures } from "../support/operations/fixtures.ts";

const size = 400;

onPostgres((open) => {
  test("a page is read once, also by a plan that does not know how long it is", async (t) => {
    const location = await makeLocation(t, "postgres");
    const fixtures = await makeFixtures(t, () => open(t, { at: location }));
    await assignRoles(fixtures);
    const statement = await notePage(fixtures.database, () =>
      listAuthorizations({ database: fixtures.database }, fixtures.owner, {
        filters: [{ kind: "display_name", method: "contains_ignore_case", displayName: "z1" }],
        orderBy: "created_at",
        isDescending: false,
        page: { offset: 0, limit: 20 },
      }),
    );

    const client = new pg.Client(clientSettings(location.url ?? ""));
    await client.connect();
    const { values, shape } = statement;
    const literals = values.map((value) => (typeof value === "string" ? client.escapeLiteral(value) : value));
    await client.query(`set plan_cache_mode = force_generic_plan; prepare page as ${shape.postgres}`);
    const { rows } = await client.query(`explain (analyze, format json) execute page(${literals.join(", ")})`);
    const read = mostRowsOf(rows[0]["QUERY PLAN"][0].Plan as Node);
    await client.end();
    assert.ok(read >= size, `the plan read ${read} rows, which proves nothing`);
    assert.ok(read <= 2 * size, `a step of the plan read ${read} rows of ${size}`);
  });
});

/** Gives each of many users a role. */
async function assignRoles({ database, owner, organization, project }: Fixtures): Promise<void> {
  const bank = await organization("Bank");
  const { projectId } = await project(bank, { name: "Zebra" });
  await database.touch(owner, async (tx) => {
    tx.write(sql`insert into users (instance_id, user_id, organization_id, kind, state, username, username_key, preferred_login_name,
      login_name_key, display_name, sequence, created_at, changed_at, family_name, is_password_change_required, failed_password_checks)
      select ${tx.instanceId}, '7' || n, ${bank.organizationId}, 'human', 'active', 'employee' || n, 'employee' || n,
        'employee' || n, 'employee' || n, 'Employee ' || n, 1, n, 1, 'Employee', 0, 0 from generate_series(1, ${size}) n`);
    tx.write(sql`insert into authorizations (instance_id, authorization_id, user_id, group_id, project_id, organization_id,
      project_grant_id, state, sequence, created_at, changed_at, user_organization_id)
      select ${tx.instanceId}, '8' || n, '7' || n, '', ${projectId}, ${bank.organizationId}, '', 'active', 1, n, 1,
        ${bank.organizationId} from generate_series(1, ${size}) n`);
    for (const analyze of [sql`analyze users`, sql`analyze authorizations`]) tx.write(analyze);
  });
}

/** Returns the statement that read a page. */
async function notePage(database: Database, list: () => Promise<unknown>): Promise<Sql> {
  const noted: Sql[] = [];
  noteStatements(database, (statement) => void noted.push(statement));
  await list();
  return noted.find(({ shape }) => shape.postgres.includes("page_id")) ?? assert.fail("no page was read");
}
