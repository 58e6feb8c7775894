import assert from "node:assert/strict";
import { test } from "node:test";
import { join, type Sql, sql } from "../../src/database/index.ts";
import { listLaunchableApplications } from "../../src/domain/authorization/index.ts";
import { eachEngine } from "../support/databases/databases.ts";
import { watchedReader } from "../support/databases/touched-rows.ts";
import { type Fixtures, makeFixtures } from "../support/operations/fixtures.ts";

const perStatement = 300;
const mostOnPage = 60;
/** More than are looked at of an organization. */
const many = 3_000;

interface Of {
  readonly projectId: string;
  readonly organizationId: string;
}

/** Registers applications at which a sign-in can be started: `<name> 1001`, `<name> 1002` … */
async function addMany({ database, owner }: Fixtures, name: string, { projectId, organizationId }: Of, count: number) {
  const row = (
    n: number,
    instanceId: string,
  ): Sql => sql`(${instanceId}, ${`${name}-${n}`}, ${projectId}, ${organizationId},
    ${`${name} ${n}`}, ${`${name} ${n}`}, 'active', 'oidc', ${`${name}-${n}`}, '{}', 1, 1, 1, 1)`;
  await database.touch(owner, async (tx) => {
    for (let first = 0; first < count; first += perStatement) {
      const numbers = Array.from({ length: Math.min(perStatement, count - first) }, (_, n) => 1_001 + first + n);
      const rows = numbers.map((n) => row(n, tx.instanceId));
      tx.write(sql`insert into applications (instance_id, application_id, project_id, organization_id, name, name_key,
        state, kind, client_id, configuration, initiates_login, sequence, created_at, changed_at) values ${join(rows, ", ")}`);
    }
  });
}

async function lend(
  { database, owner }: Fixtures,
  { projectId, organizationId }: Of,
  to: string,
  isRecognized: number,
) {
  await database.touch(owner, (tx) =>
    tx.run(sql`insert into project_grants (instance_id, grant_id, project_id, organization_id, granted_organization_id,
        state, is_recognized, sequence, created_at, changed_at)
      values (${tx.instanceId}, ${`to-${to}-${projectId}`}, ${projectId}, ${organizationId}, ${to}, 'active',
        ${isRecognized}, 1, 1, 1)`),
  );
}

const namesOf = (name: string, count: number): string[] =>
  Array.from({ length: count }, (_, n) => `${name} ${1_001 + n}`);

eachEngine((open) => {
  test("the start page reads no applications of organizations that the user's own did not take up, and of each other as many as it may show", async (t) => {
    const fixtures = await makeFixtures(t, open);
    const { database, owner } = fixtures;
    const [bank, partner, evil] = [
      await fixtures.organization("Bank"),
      await fixtures.organization("Partner"),
      await fixtures.organization("Evil"),
    ];
    const [own, lent, foreign] = [
      await fixtures.project(bank),
      await fixtures.project(partner),
      await fixtures.project(evil),
    ];
    await addMany(fixtures, "own", own, 5);
    await addMany(fixtures, "lent", lent, many);
    await addMany(fixtures, "foreign", foreign, many);
    await lend(fixtures, lent, bank.organizationId, 1);
    await lend(fixtures, foreign, bank.organizationId, 0);
    await database.touch(owner, async (tx) => {
      for (const table of [sql`applications`, sql`projects`, sql`organizations`, sql`project_grants`]) {
        tx.write(sql`analyze ${table}`);
      }
    });

    const listed = async ({ organizationId }: { readonly organizationId: string }, most: number) => {
      const { reader, long } = watchedReader(database, most);
      const user = { userId: "teller", organizationId };
      const found = await listLaunchableApplications(reader, owner.instanceId, user);
      // The instance itself is found by its id.
      assert.deepEqual(
        long.filter((step) => !step.includes("sqlite_autoindex_instances_1")),
        [],
      );
      return found.map(({ name }) => name);
    };
    const ofBank = await listed(bank, 500);
    assert.deepEqual(ofBank, [...namesOf("own", 5), ...namesOf("lent", mostOnPage - 5)]);
    assert.deepEqual(await listed(evil, 1_100), namesOf("foreign", mostOnPage), "their own, of the first thousand");
  });
});
