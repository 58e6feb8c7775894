import assert from "node:assert/strict";
import { test } from "node:test";
import { join, sql, type TextMethod } from "../../src/database/index.ts";
import { type AdministratorFilter, listAdministrators } from "../../src/domain/administrator-search/index.ts";
import { type AuthorizationFilter, listAuthorizations } from "../../src/domain/authorization/index.ts";
import { eachEngine } from "../support/databases/databases.ts";
import { watchedReader } from "../support/databases/touched-rows.ts";
import { type Fixtures, makeFixtures } from "../support/operations/fixtures.ts";

const size = 6_000;
const perStatement = 300;
const method: TextMethod = "contains_ignore_case";
const page = { offset: 0, limit: 20 };

/** Gives an organization many users, each with a role and a position. */
async function fill(fixtures: Fixtures, organizationId: string, projectId: string): Promise<void> {
  await fixtures.database.touch(fixtures.owner, async (tx) => {
    for (let first = 0; first < size; first += perStatement) {
      const numbers = Array.from({ length: perStatement }, (_, index) => first + index);
      const people = numbers.map((n) => {
        const name = `employee${n}`;
        return sql`(${tx.instanceId}, ${`7${n}`}, ${organizationId}, 'human', 'active', ${name}, ${name}, ${`${name}@bank.example`},
          ${`${name}@bank.example`}, ${`Employee ${n}`}, 1, ${n}, 1, 'Employee', 0, 0)`;
      });
      tx.write(sql`insert into users (instance_id, user_id, organization_id, kind, state, username, username_key, preferred_login_name,
        login_name_key, display_name, sequence, created_at, changed_at, family_name, is_password_change_required, failed_password_checks)
        values ${join(people, ", ")}`);
      const roles = numbers.map(
        (n) =>
          sql`(${tx.instanceId}, ${`8${n}`}, ${`7${n}`}, '', ${projectId}, ${organizationId}, '', 'active', 1, ${n}, 1, ${organizationId})`,
      );
      tx.write(sql`insert into authorizations (instance_id, authorization_id, user_id, group_id, project_id, organization_id,
        project_grant_id, state, sequence, created_at, changed_at, user_organization_id) values ${join(roles, ", ")}`);
      const positions = numbers.map(
        (n) => sql`(${tx.instanceId}, 'organization', ${organizationId}, ${`7${n}`}, ${organizationId}, 1, ${n}, 1)`,
      );
      tx.write(sql`insert into memberships (instance_id, level, resource_id, user_id, organization_id, sequence, created_at, changed_at)
        values ${join(positions, ", ")}`);
    }
    for (const analyze of [sql`analyze users`, sql`analyze authorizations`, sql`analyze memberships`])
      tx.write(analyze);
  });
}

eachEngine((open) => {
  test("a caller without a role reads only their own rows, whatever others have and whatever is searched (A27)", async (t) => {
    const fixtures = await makeFixtures(t, open);
    const bank = await fixtures.organization("Bank");
    const { projectId } = await fixtures.project(bank, { name: "Zebra" });
    await fill(fixtures, bank.organizationId, projectId);
    const caller = fixtures.as([], { userId: "71234", organizationId: bank.organizationId });
    const list = async (call: typeof caller, filters: readonly AuthorizationFilter[]) => {
      const { reader, long } = watchedReader(fixtures.database, 500);
      const deps = { database: { ...fixtures.database, read: reader } as typeof fixtures.database };
      const input = { filters, orderBy: "created_at", isDescending: false, page } as const;
      const { rows, total } = await listAuthorizations(deps, call, input);
      return { ids: rows.map(({ authorizationId }) => authorizationId), total, long };
    };
    const displayed = (displayName: string): AuthorizationFilter => ({ kind: "display_name", method, displayName });
    const found: readonly (readonly AuthorizationFilter[])[] = [
      [],
      ["em", "pl", "oy", "ye", "ee"].map(displayed),
      [displayed("employee")],
      [{ kind: "login_name", method, loginName: "pl" }],
      [{ kind: "user_text", column: "family_name", method, text: "Em" }],
      [{ kind: "project_name", method, name: "eb" }],
      [{ kind: "organization_name", method, name: "an" }],
      [{ kind: "of_users" }, { kind: "state", state: "active" }, { kind: "user_kind", userKind: "human" }],
    ];
    for (const filters of found) {
      const { ids, total, long } = await list(caller, filters);
      assert.deepEqual([ids, total, long], [["81234"], 1, []], JSON.stringify(filters));
    }
    const absent: readonly AuthorizationFilter[] = [
      displayed("z1"),
      { kind: "user_text", column: "email", method, text: "z1" },
      { kind: "role_key", method, roleKey: "z1" },
      { kind: "organization_name", method, name: "z1" },
    ];
    for (const filter of absent) {
      const { total, long } = await list(caller, [filter]);
      assert.deepEqual([total, long], [0, []], JSON.stringify(filter));
    }

    // An administrator of the organization finds the same among all of them.
    const owner = fixtures.as([{ role: "ORG_OWNER", level: "organization", resourceId: bank.organizationId }]);
    assert.equal((await list(owner, [displayed("em")])).total, size);
    assert.equal((await list(owner, [displayed("e 1234")])).total, 1);
    assert.equal((await list(owner, [displayed("z1")])).total, 0);

    const administrators = async (call: typeof caller, filters: readonly AdministratorFilter[]) => {
      const { reader, long } = watchedReader(fixtures.database, 500);
      const deps = { database: { ...fixtures.database, read: reader } as typeof fixtures.database };
      const input = { filters, orderBy: "created_at", isDescending: false, page } as const;
      return { total: (await listAdministrators(deps, call, input)).total, long };
    };
    const named: AdministratorFilter = { by: "display_name", method, text: "em" };
    assert.deepEqual(await administrators(caller, [named]), { total: 1, long: [] });
    assert.equal((await administrators(owner, [named])).total, size);
  });
});
