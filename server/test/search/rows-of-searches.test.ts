import assert from "node:assert/strict";
import { test } from "node:test";
import type { Call } from "../../src/call/index.ts";
import { join, type Sql, sql } from "../../src/database/index.ts";
import { search } from "../../src/domain/search/index.ts";
import { eachEngine } from "../support/databases/databases.ts";
import { watchedReader } from "../support/databases/touched-rows.ts";
import { type Fixtures, makeFixtures } from "../support/operations/fixtures.ts";

const size = 6_000;
const perStatement = 300;

/** The number of the organization that a thing belongs to: the second has a sixtieth. */
const homeOf = (n: number): number => (n % 60 === 0 ? 1 : 0);

/** Fills an instance with many things of each kind, all named alike, most of them in the first organization. */
async function fill({ database, owner }: Fixtures, homes: readonly string[]): Promise<void> {
  const home = (n: number): string => homes[homeOf(n)] ?? "";
  await database.touch(owner, async (tx) => {
    const { instanceId } = tx;
    const write = (into: Sql, row: (n: number) => Sql): void => {
      for (let first = 0; first < size; first += perStatement) {
        const rows = Array.from({ length: perStatement }, (_, index) => sql`(${row(first + index)})`);
        tx.write(sql`insert into ${into} values ${join(rows, ", ")}`);
      }
    };
    write(
      sql`users (instance_id, user_id, organization_id, kind, state, username, username_key, preferred_login_name,
        login_name_key, display_name, sequence, created_at, changed_at, given_name, family_name, email, email_key, phone,
        is_password_change_required, failed_password_checks)`,
      (
        n,
      ) => sql`${instanceId}, ${`1${n}`}, ${home(n)}, ${n % 100 === 60 ? "machine" : "human"}, 'active', ${`alike${n}`},
        ${`alike${n}`}, ${`alike${n}@o.example`}, ${`alike${n}@o.example`}, ${`Alike ${n}`}, 1, ${n}, 1, 'Alike', 'Alike',
        ${`alike${n}@mail.example`}, ${`alike${n}@mail.example`}, ${`+4179${2_000_000 + n}`}, 0, 0`,
    );
    write(
      sql`organizations (instance_id, organization_id, name, name_key, state, primary_domain, sequence, created_at, changed_at)`,
      (n) => sql`${instanceId}, ${`2${n}`}, ${`Alike ${n}`}, ${`alike ${n}`}, 'active', '', 1, ${n}, 1`,
    );
    write(
      sql`organization_domains (instance_id, organization_id, domain, is_verified, is_primary, is_proven, validation_type,
        created_at, changed_at)`,
      (n) => sql`${instanceId}, ${`2${n}`}, ${`alike${n}.example`}, 1, 1, 1, 'none', ${n}, 1`,
    );
    write(
      sql`projects (instance_id, project_id, organization_id, name, name_key, state, is_role_assertion_on,
        is_authorization_required, is_project_access_required, private_labeling, sequence, created_at, changed_at)`,
      (
        n,
      ) => sql`${instanceId}, ${`3${n}`}, ${home(n)}, ${`Alike ${n}`}, ${`alike ${n}`}, 'active', 0, 0, 0, 'unspecified', 1,
        ${n}, 1`,
    );
    write(
      sql`project_grants (instance_id, grant_id, project_id, organization_id, granted_organization_id, state, sequence,
        created_at, changed_at)`,
      (n) => sql`${instanceId}, ${`4${n}`}, ${`3${n}`}, ${home(n)}, ${`2${n}`}, 'active', 1, ${n}, 1`,
    );
    write(
      sql`applications (instance_id, application_id, project_id, organization_id, name, name_key, state, kind, client_id,
        configuration, sequence, created_at, changed_at)`,
      (n) => sql`${instanceId}, ${`5${n}`}, ${`3${n}`}, ${home(n)}, ${`Alike ${n}`}, ${`alike ${n}`}, 'active', 'api',
        ${`client-${n}`}, '{}', 1, ${n}, 1`,
    );
    write(
      sql`user_groups (instance_id, group_id, organization_id, name, name_key, description, sequence, created_at, changed_at)`,
      (n) => sql`${instanceId}, ${`6${n}`}, ${home(n)}, ${`Alike ${n}`}, ${`alike ${n}`}, '', 1, ${n}, 1`,
    );
    write(
      sql`identity_providers (instance_id, identity_provider_id, organization_id, kind, name, name_key, state,
        is_linking_allowed, is_creation_allowed, is_auto_creation, is_auto_update, auto_linking, configuration, sequence,
        created_at, changed_at)`,
      (n) => sql`${instanceId}, ${`7${n}`}, ${home(n)}, 'oidc', ${`Alike ${n}`}, ${`alike ${n}`}, 'active', 0, 0, 0, 0,
        'none', '{}', 1, ${n}, 1`,
    );
    const tables = [sql`users`, sql`organizations`, sql`organization_domains`, sql`projects`, sql`project_grants`];
    const others = [sql`applications`, sql`user_groups`, sql`identity_providers`];
    // As a server of PostgreSQL does by itself after so many new rows.
    for (const table of [...tables, ...others]) tx.write(sql`analyze ${table}`);
  });
}

eachEngine((open) => {
  test("a search reads as few rows where there are many", async (t) => {
    const fixtures = await makeFixtures(t, open);
    const homes = [await fixtures.organization("Large"), await fixtures.organization("Small")];
    const [large = "", small = ""] = homes.map(({ organizationId }) => organizationId);
    await fill(fixtures, [large, small]);
    const find = async (call: Call, text: string, organizationId?: string) => {
      const { reader, long } = watchedReader(fixtures.database, 500);
      const deps = { database: { ...fixtures.database, read: reader } as typeof fixtures.database };
      const results = await search(deps, call, { text, organizationId });
      const counts: Record<string, number> = {};
      for (const { kind } of results) counts[kind] = (counts[kind] ?? 0) + 1;
      return { results, counts, long: long.filter((step) => !step.startsWith("SEARCH instance_limits")) };
    };
    const eight = (...kinds: string[]) => Object.fromEntries(kinds.map((kind) => [kind, 8]));
    const owned = ["user", "service_account", "project", "application", "project_grant", "group", "identity_provider"];
    const ownerOf = (organizationId: string): Call =>
      fixtures.as([{ role: "ORG_OWNER", level: "organization", resourceId: organizationId }], { organizationId });

    const everything = await find(fixtures.owner, "alike");
    assert.deepEqual(everything.counts, eight(...owned, "organization"));
    assert.deepEqual(everything.long, []);

    await t.test("one of many by its whole name, number, domain, client id or id", async () => {
      const texts = [
        ["alike5999@mail.example", ["15999"]],
        ["+41 79 2005999", ["15999"]],
        ["alike5999.example", ["25999"]],
        ["client-5999", ["55999"]],
        ["45999", ["45999"]],
        ["Alike 5999", ["15999", "25999", "35999", "55999", "45999", "65999", "75999"]],
      ] as const;
      for (const [text, ids] of texts) {
        const { results, long } = await find(fixtures.owner, text);
        assert.deepEqual([results.map(({ id }) => id), long], [ids, []], text);
      }
    });

    await t.test("within an organization", async () => {
      const { counts, long } = await find(fixtures.owner, "alike", small);
      assert.deepEqual([counts, long], [eight(...owned), []]);
    });

    await t.test("by those who read a small part", async () => {
      const { results, counts, long } = await find(ownerOf(small), "alike");
      assert.deepEqual([counts, long], [{ ...eight(...owned), service_account: 8 }, []]);
      assert.ok(results.every(({ organizationId }) => organizationId === small));
    });

    await t.test("by those who read nearly everything", async () => {
      const { results, counts, long } = await find(ownerOf(large), "alike");
      assert.deepEqual(counts, { ...eight(...owned) });
      assert.ok(results.every(({ organizationId }) => organizationId === large));
      // Up to so many users that a caller may read are counted.
      assert.deepEqual(
        long.filter((statement) => !/counted$/.test(statement)),
        [],
      );
    });

    await t.test("by those who read nothing", async () => {
      const { results, long } = await find(fixtures.as([], { userId: "15999", organizationId: large }), "alike");
      assert.deepEqual([results.map(({ id }) => id), long], [["15999"], []]);
    });

    await t.test("by those who read a project, or what was granted", async () => {
      const project = fixtures.as([{ role: "PROJECT_OWNER", level: "project", resourceId: "35999" }]);
      const ofProject = await find(project, "alike");
      assert.deepEqual([ofProject.results.map(({ id }) => id), ofProject.long], [["35999", "55999", "45999"], []]);
      const granted = await find(ownerOf("25999"), "alike");
      assert.deepEqual([granted.results.map(({ id }) => id), granted.long], [["25999", "35999", "45999"], []]);
    });
  });
});
