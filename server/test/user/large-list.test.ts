import assert from "node:assert/strict";
import { test } from "node:test";
import { join, type Reader, sql } from "../../src/database/index.ts";
import { changeUserState, foldUserCounts } from "../../src/domain/user/index.ts";
import { listUsers, type UserFilter } from "../../src/domain/user-search/index.ts";
import { eachEngine } from "../support/databases/databases.ts";
import { explainingReader } from "../support/databases/explaining-reader.ts";
import { makeUserFixtures, type UserFixtures } from "./support.ts";

// More than are found and put in order (`planList`), so that both ways to read a list are walked.
const size = 6_000;
const perStatement = 300;

interface Person {
  readonly id: string;
  readonly organization: number;
  readonly kind: "human" | "machine";
  readonly state: "active" | "inactive";
  readonly username: string;
  readonly familyName: string;
  readonly phone: string | null;
  readonly isBlocked: boolean;
}

/**
 * Returns one of many users. All but a hundred are in the first organization; names repeat, differ in case, and include
 * letters with special case rules.
 */
function personOf(number: number): Person {
  const families = ["Berg", "BERG", "Ähre", "ΟΔΟΣΑ", "Łucja", "o'Hara", "100%_\\"];
  return {
    id: `${100_000 + number}`,
    organization: number % 60 === 0 ? 1 : 0,
    kind: number % 3 === 0 ? "machine" : "human",
    state: number % 7 === 0 ? "inactive" : "active",
    username: `user${number}${number % 2 === 0 ? "Even" : "odd"}`,
    familyName: `${families[number % families.length]}${number % 11}`,
    isBlocked: number % 97 === 0,
    phone: number % 3 === 0 ? null : `+4179${2_000_000 + number * 7}`,
  };
}

const people = Array.from({ length: size }, (_each, number) => personOf(number));

async function fill(fixtures: UserFixtures, organizationIds: readonly string[]): Promise<void> {
  await fixtures.database.touch(fixtures.owner, async (tx) => {
    for (let first = 0; first < size; first += perStatement) {
      const rows = people.slice(first, first + perStatement).map((person, index) => {
        const { id, organization, kind, state, username, familyName, phone, isBlocked } = person;
        const key = username.toLowerCase();
        return sql`(${tx.instanceId}, ${id}, ${organizationIds[organization] ?? ""}, ${kind}, ${state}, ${username}, ${key},
          ${`${username}@o${organization}.example.com`}, ${`${key}@o${organization}.example.com`}, ${familyName}, 1, ${first + index}, 1, ${familyName}, ${phone}, 0, 0, ${isBlocked ? 1 : null})`;
      });
      tx.write(sql`insert into users (instance_id, user_id, organization_id, kind, state, username, username_key, preferred_login_name,
        login_name_key, display_name, sequence, created_at, changed_at, family_name, phone, is_password_change_required, failed_password_checks, password_blocked_at)
        values ${join(rows, ", ")}`);
    }
    // As a server of PostgreSQL does by itself after so many new rows.
    tx.write(sql`analyze users`);
  });
}

eachEngine((open) => {
  test("a list that is too long to be put in order shows the same as one that is not, and its total is true", async (t) => {
    const fixtures = await makeUserFixtures(t, open);
    const organizations = [await fixtures.organization("Acme"), await fixtures.organization("Other")] as const;
    const organizationIds = organizations.map(({ organizationId }) => organizationId);
    await fill(fixtures, organizationIds);
    const lower = (text: string): string => text.toLowerCase();
    const cases: [UserFilter, (person: Person) => boolean][] = [
      [{ by: "organization", organizationId: organizationIds[0] ?? "" }, ({ organization }) => organization === 0],
      [{ by: "organization", organizationId: organizationIds[1] ?? "" }, ({ organization }) => organization === 1],
      [{ by: "kind", kind: "human" }, ({ kind }) => kind === "human"],
      [{ by: "state", state: "inactive" }, ({ state }) => state === "inactive"],
      [{ by: "not", filter: { by: "state", state: "inactive" } }, ({ state }) => state !== "inactive"],
      [{ by: "blocked" }, ({ isBlocked }) => isBlocked],
      [{ by: "not", filter: { by: "blocked" } }, ({ isBlocked }) => !isBlocked],
      [{ by: "username", method: "contains", value: "Even" }, ({ username }) => username.includes("Even")],
      [{ by: "username", method: "contains", value: "user" }, () => true],
      [
        { by: "username", method: "starts_with_ignore_case", value: "USER59" },
        ({ username }) => username.startsWith("user59"),
      ],
      [{ by: "username", method: "contains", value: "r5" }, ({ username }) => username.includes("r5")],
      [{ by: "familyName", method: "equals", value: "Berg3" }, ({ familyName }) => familyName === "Berg3"],
      [
        { by: "familyName", method: "equals_ignore_case", value: "berG3" },
        ({ familyName }) => lower(familyName) === "berg3",
      ],
      [{ by: "familyName", method: "contains", value: "ΟΔΟΣ" }, ({ familyName }) => familyName.includes("ΟΔΟΣ")],
      [{ by: "familyName", method: "starts_with", value: "ΟΔΟΣ" }, ({ familyName }) => familyName.startsWith("ΟΔΟΣ")],
      [{ by: "familyName", method: "contains", value: "%_\\1" }, ({ familyName }) => familyName.includes("%_\\1")],
      [{ by: "familyName", method: "contains", value: "o'H" }, ({ familyName }) => familyName.includes("o'H")],
      [
        { by: "displayName", method: "ends_with_ignore_case", value: "HRE7" },
        ({ familyName }) => lower(familyName).endsWith("hre7"),
      ],
      [{ by: "phone", method: "equals", value: "+41 (79) 2000-007" }, ({ phone }) => phone === "+41792000007"],
      [
        { by: "phone", method: "starts_with", value: "+41 79 201" },
        ({ phone }) => phone?.startsWith("+4179201") === true,
      ],
      [{ by: "phone", method: "starts_with_ignore_case", value: "+41" }, ({ phone }) => phone !== null],
      [{ by: "phone", method: "ends_with", value: "0007" }, ({ phone }) => phone?.endsWith("0007") === true],
      [{ by: "loginName", method: "contains", value: "@o1.example" }, ({ organization }) => organization === 1],
    ];
    const conditions = cases.concat(
      cases.slice(0, -1).map(([filter, holds], index) => {
        const [other, otherHolds] = cases[index + 1] ?? [filter, holds];
        const both: UserFilter = { by: "and", filters: [filter, other] };
        return [both, (person: Person) => holds(person) && otherHolds(person)];
      }),
      cases.slice(2).map(([filter, holds], index) => {
        const [other, otherHolds] = cases[index] ?? [filter, holds];
        const either: UserFilter = { by: "or", filters: [filter, other] };
        return [either, (person: Person) => holds(person) || otherHolds(person)];
      }),
    );
    const { owner } = fixtures;
    for (const [filter, holds] of conditions) {
      const expected = people.filter(holds);
      // Users of the fixtures were made later than these.
      for (const offset of filter.by === "or" ? [0] : [0, Math.max(0, expected.length - 3)]) {
        const page = { offset, limit: 5 };
        const { users, total } = await listUsers(fixtures, owner, {
          filters: [filter],
          sortBy: "createdAt",
          isDescending: false,
          page,
        });
        const shown = users.filter(({ userId }) => userId.length === 6).map(({ userId }) => userId);
        assert.deepEqual(
          shown,
          expected.slice(offset, offset + 5).map(({ id }) => id),
          JSON.stringify(filter),
        );
        const others = total - expected.length;
        assert.ok(others >= 0 && others <= 3, `${total} and not ${expected.length}: ${JSON.stringify(filter)}`);
      }
    }

    const readable = fixtures.as([{ role: "ORG_OWNER", level: "organization", resourceId: organizationIds[0] ?? "" }]);
    for (const [filter, holds] of cases) {
      const { users, total } = await listUsers(fixtures, readable, {
        filters: [filter],
        sortBy: "familyName",
        isDescending: true,
        page: { offset: 0, limit: 20 },
      });
      const expected = people.filter((person) => person.organization === 0 && holds(person));
      assert.equal(total, expected.length, JSON.stringify(filter));
      assert.equal(users.length, Math.min(20, expected.length));
      const ids = new Set(expected.map(({ id }) => id));
      assert.ok(users.every(({ userId }) => ids.has(userId)));
    }
  });

  test("whatever part of a text is looked for, those who have it are found: all of it common, some, or nothing", async (t) => {
    const fixtures = await makeUserFixtures(t, open);
    const organizationIds = [
      (await fixtures.organization("Acme")).organizationId,
      (await fixtures.organization("Other")).organizationId,
    ];
    await fill(fixtures, organizationIds);
    const textsOf = ({ username, organization, familyName, phone }: Person) => ({
      username,
      familyName,
      phone: phone ?? "",
      loginName: `${username}@o${organization}.example.com`,
    });
    for (let number = 1; number < size; number += 331) {
      for (const [by, text] of Object.entries(textsOf(people[number] ?? assert.fail()))) {
        // A part of a text that begins and ends elsewhere in each of them.
        const from = number % Math.max(1, text.length - 3);
        const value = text.slice(from, from + 3 + (number % 14));
        if (value === "") continue;
        const filter = { by: by as keyof ReturnType<typeof textsOf>, method: "contains", value } as const;
        const { total } = await listUsers(fixtures, fixtures.owner, {
          filters: [filter],
          sortBy: "createdAt",
          isDescending: false,
          page: { offset: 0, limit: 1 },
        });
        const has = (person: Person): boolean => textsOf(person)[filter.by].includes(value);
        const others = total - people.filter(has).length;
        assert.ok(others >= 0 && others <= 3, `${total}: ${JSON.stringify(filter)}`);
      }
    }
  });

  test("a list that compares many users is read apart from everything else, and a short one is not (A27)", async (t) => {
    const fixtures = await makeUserFixtures(t, open);
    const organizations = [await fixtures.organization("Acme"), await fixtures.organization("Other")] as const;
    const [acme, other] = organizations.map(({ organizationId }) => organizationId);
    assert.ok(acme && other);
    await fill(fixtures, [acme, other]);
    const { engine, read } = fixtures.database;
    const atLength = read.atLength ?? assert.fail();
    let apart = 0;
    const noted: Reader = {
      engine,
      all: (statement) => read.all(statement),
      maybe: (statement) => read.maybe(statement),
      atLength: {
        engine,
        all: (statement) => {
          apart++;
          return atLength.all(statement);
        },
        maybe: (statement) => {
          apart++;
          return atLength.maybe(statement);
        },
      },
    };
    const find = async (organizationId: string, filter: UserFilter) => {
      apart = 0;
      const { total } = await listUsers(
        { ...fixtures, database: { ...fixtures.database, read: noted } },
        fixtures.as([{ role: "ORG_USER_MANAGER", level: "organization", resourceId: organizationId }]),
        { filters: [filter], sortBy: "createdAt", isDescending: false, page: { offset: 0, limit: 5 } },
      );
      return { total, isApart: apart > 0 };
    };
    const named = (value: string): UserFilter => ({ by: "username", method: "contains_ignore_case", value });
    const either: UserFilter = { by: "or", filters: ["z1", "z2", "z3", "r5"].map(named) };
    const holds = ({ username }: Person): boolean => username.includes("r5");
    const expected = (organization: number): number =>
      people.filter((person) => person.organization === organization && holds(person)).length;
    assert.deepEqual(await find(acme, either), { total: expected(0), isApart: true });
    assert.deepEqual(await find(other, either), { total: expected(1), isApart: false });
    assert.deepEqual(await find(acme, { by: "ids", ids: ["100001"] }), { total: 1, isApart: false });
    // Each user may have any number of pairs, which few users do not bound.
    const kept: UserFilter = { by: "metadataValue", value: Buffer.from("x"), isEqual: true };
    assert.deepEqual(await find(other, { by: "or", filters: [kept, kept] }), { total: 0, isApart: true });
  });

  test("a search for few users never has all users of the instance read", async (t) => {
    const fixtures = await makeUserFixtures(t, open);
    const { database, owner } = fixtures;
    if (database.engine === "postgres") return t.diagnostic("PostgreSQL decides by what there is");
    // A thousand are walked along, whatever is searched.
    await fill(fixtures, [(await fixtures.organization("Acme")).organizationId]);
    const { reader: read, plans } = explainingReader(database);
    const texts = ["username", "givenName", "familyName", "displayName", "email", "phone", "loginName"] as const;
    const methods = ["equals", "equals_ignore_case", "starts_with", "contains", "ends_with_ignore_case"] as const;
    const filters: UserFilter[] = [
      ...texts.flatMap((by) => methods.map((method) => ({ by, method, value: "person4711" }))),
      { by: "ids", ids: ["1", "2"] },
      { by: "emails", emails: ["ada@example.com"] },
      { by: "metadataKey", method: "equals", key: "team" },
      { by: "metadataValue", isEqual: true, value: Buffer.from("red") },
    ];
    const page = { offset: 0, limit: 5 };
    for (const filter of filters) {
      plans.length = 0;
      const search = { filters: [filter], sortBy: "username", isDescending: false, page } as const;
      await listUsers({ ...fixtures, database: { ...database, read } }, owner, search);
      assert.ok(plans.length > 0);
      const whole = plans.filter((step) =>
        /^(?:SCAN|SEARCH) users\b(?!.*(?:AND|user_id=|_key=|search_number=))/.test(step),
      );
      assert.deepEqual(whole, [], JSON.stringify(filter));
    }
  });

  test("users are counted as they come, change and go, even when the counts are put together meanwhile", async (t) => {
    const fixtures = await makeUserFixtures(t, open);
    const organization = await fixtures.organization("Acme");
    const { owner, database } = fixtures;
    const users = await Promise.all(
      Array.from({ length: 12 }, (_each, index) => fixtures.user(organization, `m${index}`)),
    );
    const total = async (filters: UserFilter[]): Promise<number> =>
      (
        await listUsers(fixtures, owner, {
          filters,
          sortBy: "createdAt",
          isDescending: false,
          page: { offset: 0, limit: 1 },
        })
      ).total;
    const counted = (): Promise<unknown> =>
      database.read.all(sql`select organization_id, kind, state, sum(amount) as "amount" from user_counts
        group by organization_id, kind, state having sum(amount) <> 0 order by organization_id, kind, state`);
    const expected = (): Promise<unknown> =>
      database.read.all(sql`select * from (select organization_id, kind, state, count(*) as "amount" from users
          group by organization_id, kind, state
        union all select '', kind, state, count(*) from users group by kind, state) counts order by organization_id, kind, state`);
    await Promise.all([
      ...users.slice(0, 4).map(({ userId }) => changeUserState(fixtures, owner, { userId, move: "deactivate" })),
      foldUserCounts(fixtures, owner),
      foldUserCounts(fixtures, owner),
      database.touch(owner, async (tx) => {
        for (const { userId } of users.slice(8))
          await tx.run(sql`delete from users where instance_id = ${tx.instanceId} and user_id = ${userId}`);
      }),
      foldUserCounts(fixtures, owner),
    ]);
    assert.deepEqual(await counted(), await expected());
    const inOrganization: UserFilter = { by: "organization", organizationId: organization.organizationId };
    assert.equal(await total([inOrganization, { by: "state", state: "inactive" }]), 4);
    assert.equal(await total([inOrganization]), 8);
    await foldUserCounts(fixtures, owner);
    assert.equal(await foldUserCounts(fixtures, owner), 0, "nothing is left to put together");
    assert.deepEqual(await counted(), await expected());
  });
});
