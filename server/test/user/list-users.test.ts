import assert from "node:assert/strict";
import { test } from "node:test";
import type { Call } from "../../src/call/index.ts";
import { sql } from "../../src/database/index.ts";
import { setPhone } from "../../src/domain/contact/index.ts";
import { changeUserState, setUserMetadata } from "../../src/domain/user/index.ts";
import { getUser, listUsers, type UserFilter } from "../../src/domain/user-search/index.ts";
import { eachEngine } from "../support/databases/databases.ts";
import { makeUserFixtures, outcomeOf, type UserFixtures } from "./support.ts";

const everything = { offset: 0, limit: 1000 };

const names = async (fixtures: UserFixtures, call: Call, ...filters: UserFilter[]): Promise<string[]> => {
  const { users, total } = await listUsers(fixtures, call, {
    filters,
    sortBy: "username",
    isDescending: false,
    page: everything,
  });
  assert.equal(total, users.length);
  return users.map(({ username }) => username);
};

eachEngine((open) => {
  // anna, Bob and carl of Acme, dora of Other; carl is a service account.
  const setUp = async (t: Parameters<typeof makeUserFixtures>[0]) => {
    const fixtures = await makeUserFixtures(t, open);
    const [acme, other] = [await fixtures.organization("Acme"), await fixtures.organization("Other")];
    const person = (organization: { organizationId: string }, username: string, nickName?: string) =>
      fixtures.person(organization, {
        username,
        profile: { givenName: `G${username}`, familyName: "Ähre", nickName },
        email: { address: `${username}@Mail.example`, isVerified: true },
      });
    const anna = await person(acme, "anna", "Nan");
    const bob = await person(acme, "Bob");
    const carl = await fixtures.user(acme, "carl");
    const dora = await person(other, "dora");
    return { fixtures, acme, other, anna, bob, carl, dora };
  };

  test("a page has the names of few domains, and a user alone those of all", async (t) => {
    const { fixtures, acme, anna, dora } = await setUp(t);
    const { database, owner } = fixtures;
    await database.touch(owner, async (tx) => {
      for (let number = 100; number < 130; number++)
        await tx.run(sql`insert into organization_domains (instance_id, organization_id, domain, is_verified, is_proven,
            is_primary, validation_type, created_at, changed_at)
          values (${tx.instanceId}, ${acme.organizationId}, ${`d${number}.example`}, 1, 1, 0, 'none', 1, 1)`);
    });
    const page = { filters: [], sortBy: "username", isDescending: false, page: everything } as const;
    const { users } = await listUsers(fixtures, owner, page);
    const namesOf = (userId: string) => users.find((user) => user.userId === userId)?.loginNames ?? [];
    assert.equal(namesOf(anna.userId).length, 20);
    assert.equal(namesOf(anna.userId)[0], anna.preferredLoginName);
    assert.equal(namesOf(dora.userId).length, 1);
    const alone = await getUser(fixtures, owner, { userId: anna.userId });
    assert.equal(alone.loginNames.length, 31);
    assert.ok(alone.loginNames.includes("anna@d129.example"));
  });

  test("a list shows the callers themselves and those they may read, and its total counts only these (CVE-2025-67717)", async (t) => {
    const { fixtures, acme, other, anna, dora } = await setUp(t);
    const viewer = (organization: { organizationId: string }, userId = "viewer") =>
      fixtures.as([{ role: "ORG_OWNER_VIEWER", level: "organization", resourceId: organization.organizationId }], {
        userId,
      });
    assert.deepEqual(await names(fixtures, fixtures.owner), ["anna", "Bob", "carl", "dora"]);
    assert.deepEqual(await names(fixtures, viewer(acme)), ["anna", "Bob", "carl"]);
    assert.deepEqual(await names(fixtures, viewer(other)), ["dora"]);
    assert.deepEqual(await names(fixtures, viewer(acme, dora.userId)), ["anna", "Bob", "carl", "dora"]);
    assert.deepEqual(await names(fixtures, fixtures.self(anna)), ["anna"]);
    assert.deepEqual(await names(fixtures, fixtures.as([])), []);
    assert.deepEqual(
      await names(fixtures, fixtures.as([{ role: "IAM_OWNER", level: "instance" }], { instanceId: "instance-2" })),
      [],
    );
    const projectOwner = fixtures.as([{ role: "PROJECT_OWNER", level: "project", resourceId: acme.organizationId }]);
    assert.deepEqual(await names(fixtures, projectOwner), [], "a project is no organization");
  });

  test("no filter widens the visible rows or reveals hidden ones", async (t) => {
    const { fixtures, anna, dora } = await setUp(t);
    const call = fixtures.self(anna);
    const ids = [anna.userId, dora.userId];
    assert.deepEqual(await names(fixtures, call, { by: "ids", ids }), ["anna"]);
    assert.deepEqual(await names(fixtures, call, { by: "not", filter: { by: "ids", ids } }), []);
    assert.deepEqual(
      await names(fixtures, call, {
        by: "or",
        filters: [
          { by: "kind", kind: "human" },
          { by: "kind", kind: "machine" },
        ],
      }),
      ["anna"],
    );
  });

  test("each filter finds what it says", async (t) => {
    const { fixtures, acme, anna, bob, carl, dora } = await setUp(t);
    await changeUserState(fixtures, fixtures.owner, { userId: bob.userId, move: "lock" });
    await setPhone(fixtures, fixtures.owner, {
      userId: anna.userId,
      number: "+41791234567",
      verification: { by: "trust" },
    });
    await fixtures.database.touch(fixtures.owner, (tx) =>
      tx.run(sql`insert into organization_domains (instance_id, organization_id, domain, is_verified, is_proven, is_primary,
          validation_type, created_at, changed_at)
        values (${tx.instanceId}, ${acme.organizationId}, 'acme.com', 1, 1, 0, 'none', 1, 1)`),
    );
    const metadata = [{ key: "Plan", value: Buffer.from([0, 255]) }];
    await setUserMetadata(fixtures, fixtures.owner, { userId: dora.userId, metadata });
    const equals = "equals" as const;
    const cases: [UserFilter, string[]][] = [
      [{ by: "username", method: equals, value: "bob" }, []],
      [{ by: "username", method: "equals_ignore_case", value: "bOB" }, ["Bob"]],
      [{ by: "username", method: "starts_with", value: "a" }, ["anna"]],
      [{ by: "username", method: "contains_ignore_case", value: "O" }, ["Bob", "dora"]],
      [{ by: "givenName", method: equals, value: "Ganna" }, ["anna"]],
      [{ by: "familyName", method: "equals_ignore_case", value: "ÄHRE" }, ["anna", "Bob", "dora"]],
      [{ by: "nickName", method: "ends_with", value: "an" }, ["anna"]],
      [{ by: "displayName", method: "starts_with", value: "GB" }, ["Bob"]],
      [{ by: "displayName", method: equals, value: "carl" }, ["carl"]],
      [{ by: "email", method: equals, value: "anna@Mail.example" }, ["anna"]],
      [{ by: "email", method: equals, value: "anna@mail.example" }, []],
      [{ by: "email", method: "equals_ignore_case", value: "ANNA@mail.example" }, ["anna"]],
      [{ by: "email", method: "ends_with_ignore_case", value: "@MAIL.EXAMPLE" }, ["anna", "Bob", "dora"]],
      [{ by: "emails", emails: ["ANNA@mail.example", "dora@mail.example", "no@mail.example"] }, ["anna", "dora"]],
      [{ by: "phone", method: equals, value: "+41 79 123 45 67" }, ["anna"]],
      [{ by: "phone", method: equals, value: "0041 (79) 123-45-67" }, ["anna"]],
      [{ by: "phone", method: "starts_with", value: "00 41 79" }, ["anna"]],
      [{ by: "phone", method: "contains", value: "79 123" }, ["anna"]],
      [{ by: "phone", method: "contains", value: "0041" }, []],
      [{ by: "loginName", method: equals, value: "anna@acme.example.com" }, ["anna"]],
      [{ by: "loginName", method: equals, value: "Anna@acme.example.com" }, []],
      [{ by: "loginName", method: "equals_ignore_case", value: "BOB@ACME.com" }, ["Bob"]],
      [{ by: "loginName", method: equals, value: "anna@acme.com" }, ["anna"]],
      [{ by: "loginName", method: equals, value: "anna@other.example.com" }, []],
      [{ by: "loginName", method: equals, value: "anna" }, []],
      [{ by: "loginName", method: "ends_with", value: "@other.example.com" }, ["dora"]],
      [{ by: "loginName", method: "ends_with", value: "@acme.com" }, ["anna", "Bob", "carl"]],
      [{ by: "state", state: "locked" }, ["Bob"]],
      [{ by: "state", state: "deleted" }, []],
      [{ by: "kind", kind: "machine" }, ["carl"]],
      [{ by: "ids", ids: [carl.userId, dora.userId, "nobody"] }, ["carl", "dora"]],
      [{ by: "ids", ids: [] }, []],
      [{ by: "organization", organizationId: acme.organizationId }, ["anna", "Bob", "carl"]],
      [{ by: "metadataKey", method: "equals_ignore_case", key: "plan" }, ["dora"]],
      [{ by: "metadataValue", isEqual: true, value: Buffer.from([0, 255]) }, ["dora"]],
      [{ by: "metadataValue", isEqual: false, value: Buffer.from([1]) }, ["dora"]],
    ];
    for (const [filter, expected] of cases) {
      assert.deepEqual(await names(fixtures, fixtures.owner, filter), expected, JSON.stringify(filter));
      const all = ["anna", "Bob", "carl", "dora"];
      const rest = all.filter((name) => !expected.includes(name));
      assert.deepEqual(
        await names(fixtures, fixtures.owner, { by: "not", filter }),
        rest,
        `not ${JSON.stringify(filter)}`,
      );
      assert.deepEqual(
        await names(fixtures, fixtures.owner, { by: "or", filters: [filter, { by: "not", filter }] }),
        all,
      );
      assert.deepEqual(
        await names(fixtures, fixtures.owner, { by: "and", filters: [filter, { by: "not", filter }] }),
        [],
      );
    }
  });

  test("conditions are nested 20 deep and no deeper, and an empty combination is refused", async (t) => {
    const { fixtures } = await setUp(t);
    const nest = (depth: number): UserFilter =>
      depth === 1 ? { by: "kind", kind: "machine" } : { by: "not", filter: nest(depth - 1) };
    assert.deepEqual(await names(fixtures, fixtures.owner, nest(20)), ["anna", "Bob", "dora"]);
    const list = (filter: UserFilter) => outcomeOf(names(fixtures, fixtures.owner, filter));
    assert.equal(await list(nest(21)), "invalid_argument user.filter_too_deep");
    assert.equal(await list({ by: "or", filters: [] }), "invalid_argument filter.invalid");
    const ids = (count: number) => Array.from({ length: count }, (_, index) => `${index}`);
    assert.equal(await list({ by: "ids", ids: ids(8192) }), "done");
    assert.equal(await list({ by: "ids", ids: ids(8193) }), "invalid_argument user.filter_too_large");
  });

  test("every order is stable over pages, and the total is the same on each", async (t) => {
    const { fixtures } = await setUp(t);
    const sortings = [
      "createdAt",
      "username",
      "givenName",
      "familyName",
      "nickName",
      "displayName",
      "email",
      "state",
      "kind",
    ] as const;
    for (const sortBy of sortings) {
      for (const isDescending of [false, true]) {
        const read = (page: { offset: number; limit: number }) =>
          listUsers(fixtures, fixtures.owner, { filters: [], sortBy, isDescending, page });
        const whole = (await read(everything)).users.map(({ userId }) => userId);
        const parts: string[] = [];
        for (let offset = 0; offset < 5; offset++) {
          const { users, total } = await read({ offset, limit: 1 });
          assert.equal(total, 4);
          parts.push(...users.map(({ userId }) => userId));
        }
        assert.deepEqual(parts, whole, `${sortBy} ${isDescending}`);
        // The same one after another, to the end and back.
        const turned: string[][] = [];
        let pageToken: string | undefined = "";
        for (let isBack = false; pageToken !== undefined; ) {
          const input = { filters: [], sortBy, isDescending, page: { offset: 0, limit: 1 }, pageToken };
          const { users, total, next, previous } = await listUsers(fixtures, fixtures.owner, input);
          assert.equal(total, 4);
          turned.push(users.map(({ userId }) => userId));
          isBack ||= next === undefined;
          pageToken = isBack ? previous : next;
        }
        const there = whole.map((id) => [id]);
        assert.deepEqual(turned, [...there, ...there.toReversed().slice(1)], `${sortBy} ${isDescending}`);
      }
    }
  });

  test("a page beside another one is where rows were added and removed, and shows what its caller may read", async (t) => {
    const { fixtures, acme, other, anna, bob, dora } = await setUp(t);
    const turn = async (pageToken: string | undefined, call: Call = fixtures.owner, sortBy = "username" as const) => {
      const page = { offset: 0, limit: 2 };
      const input = { filters: [], sortBy, isDescending: false, page, ...(pageToken !== undefined && { pageToken }) };
      const { users, ...tokens } = await listUsers(fixtures, call, input);
      return { ...tokens, names: users.map(({ username }) => username) };
    };
    const first = await turn(undefined);
    assert.deepEqual([first.names, first.previous], [["anna", "Bob"], undefined]);
    await fixtures.person(acme, { username: "abel" });
    await fixtures.person(other, { username: "bruno" });
    await fixtures.database.touch(fixtures.owner, async (tx) => {
      tx.write(sql`delete from users where instance_id = ${tx.instanceId} and user_id = ${bob.userId}`);
    });
    const second = await turn(first.next);
    assert.deepEqual(second.names, ["bruno", "carl"]);
    const third = await turn(second.next);
    assert.deepEqual([third.names, third.next], [["dora"], undefined]);
    assert.deepEqual((await turn(third.previous)).names, second.names);
    const back = await turn(second.previous);
    assert.deepEqual(back.names, ["abel", "anna"]);
    assert.deepEqual([back.previous, (await turn(back.next)).names], [undefined, second.names]);
    // A token is a position and nothing more, for each caller.
    const viewer = { role: "ORG_OWNER_VIEWER", level: "organization", resourceId: other.organizationId } as const;
    const elsewhere = fixtures.as([{ role: "IAM_OWNER", level: "instance" }], { instanceId: "instance-2" });
    for (const [call, seen, total] of [
      [fixtures.owner, ["bruno", "carl"], 5],
      [fixtures.as([viewer], { userId: "viewer" }), ["bruno", "dora"], 2],
      [fixtures.self(dora), ["dora"], 1],
      [fixtures.self(anna), [], 1],
      [elsewhere, [], 0],
    ] as const) {
      const { names, next, ...found } = await turn(first.next, call);
      assert.deepEqual([names, found.total], [seen, total]);
      if (call !== fixtures.owner) assert.equal(next, undefined);
    }

    const token = (...parts: readonly unknown[]): string => Buffer.from(JSON.stringify(parts)).toString("base64url");
    assert.deepEqual((await turn(token("username", false, false, "anna", anna.userId))).names, ["bruno", "carl"]);
    const refused = [
      "anna",
      "%",
      token(),
      token("email", false, false, "anna", anna.userId),
      token("username", true, false, "anna", anna.userId),
      token("username", false, 0, "anna", anna.userId),
      token("username", false, false, 1, anna.userId),
      token("username", false, false, "anna", "1".repeat(201)),
      token("username", false, false, "anna", { $gt: "" }),
      token("username", false, false, "anna"),
      Buffer.from("{").toString("base64url"),
    ];
    for (const each of refused) {
      assert.equal(await outcomeOf(turn(each)), "invalid_argument field.unknown_value", each);
    }
    const withZero = token("username", false, false, "an\0na", anna.userId);
    assert.equal(await outcomeOf(turn(withZero)), "invalid_argument text.nul_character");
    const input = { filters: [], sortBy: "createdAt", isDescending: false, page: everything } as const;
    for (const key of ["1", 1.5, null, 2 ** 60]) {
      const pageToken = token("createdAt", false, false, key, "1");
      const outcome = await outcomeOf(listUsers(fixtures, fixtures.owner, { ...input, pageToken }));
      assert.equal(outcome, "invalid_argument field.unknown_value", String(key));
    }
  });
});
