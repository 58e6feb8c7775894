import assert from "node:assert/strict";
import { test } from "node:test";
import { type Database, join, type Reader, type Sql, sql } from "../../src/database/index.ts";
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

/** A watched reader that on SQLite also notes where groups are read in what is done anew for each row. */
function watched(database: Database, most: number) {
  const { reader, long } = watchedReader(database, most);
  const perApplication: string[] = [];
  const note = async (statement: Sql): Promise<void> => {
    if (database.engine !== "sqlite") return;
    const steps = await database.read.all<Step>(sql`explain query plan ${statement}`);
    const above = ({ parent }: Step): Step | undefined => steps.find(({ id }) => id === parent);
    for (const step of steps.filter(({ detail }) => /^(?:SEARCH|SCAN) m\b/.test(detail))) {
      for (let each: Step | undefined = step; each !== undefined; each = above(each)) {
        if (each.detail.startsWith("CORRELATED")) perApplication.push(step.detail);
      }
    }
  };
  const all: Reader["all"] = async (statement) => {
    await note(statement);
    return reader.all(statement);
  };
  return { reader: { ...reader, all }, long, perApplication };
}

interface Step {
  readonly id: number;
  readonly parent: number;
  readonly detail: string;
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

  test("the groups of a user are read once for a start page, and not for each application", async (t) => {
    const fixtures = await makeFixtures(t, open);
    const { database, owner } = fixtures;
    const bank = await fixtures.organization("Bank");
    const own = await fixtures.project(bank);
    await addMany(fixtures, "own", own, perStatement);
    const user = { userId: "teller", organizationId: bank.organizationId };
    /** Groups with a role in the project that opens none of its applications, from one number to another. */
    const enter = (first: number, last: number) =>
      database.touch(owner, async (tx) => {
        const series = sql`with recursive series(i) as (select cast(${first} as integer) union all select i + 1 from series where i < ${last}),
          groups(id) as (select 'g' || cast(i as text) from series)`;
        await tx.run(sql`update projects set is_authorization_required = 1 where instance_id = ${tx.instanceId}`);
        await tx.run(sql`insert into user_group_members (instance_id, group_id, user_id, created_at)
          ${series} select ${tx.instanceId}, id, ${user.userId}, 1 from groups`);
        await tx.run(sql`insert into authorizations (instance_id, authorization_id, user_id, group_id, project_id,
            organization_id, project_grant_id, state, sequence, created_at, changed_at, user_organization_id)
          ${series} select ${tx.instanceId}, id, '', id, ${own.projectId}, ${bank.organizationId}, '', 'inactive', 1, 1, 1, ''
            from groups`);
        await tx.run(sql`insert into authorization_roles (instance_id, authorization_id, role_key)
          ${series} select ${tx.instanceId}, id, 'reader' from groups`);
        if (tx.engine === "postgres") await tx.run(sql`analyze`);
      });
    const list = async () => {
      const { reader, long, perApplication } = watched(database, 2 * perStatement);
      const found = await listLaunchableApplications(reader, owner.instanceId, user);
      assert.deepEqual(perApplication, []);
      assert.deepEqual(
        long.filter((step) => !step.includes("sqlite_autoindex_instances_1")),
        [],
      );
      return found.length;
    };
    await enter(1, perStatement);
    assert.equal(await list(), 0);
    await enter(perStatement + 1, 2 * perStatement);
    assert.equal(await list(), 0, "twice the groups");
    await database.touch(owner, (tx) =>
      tx.run(sql`update authorizations set state = 'active' where instance_id = ${tx.instanceId} and group_id = 'g7'`),
    );
    assert.equal(await list(), mostOnPage);
  });
});
