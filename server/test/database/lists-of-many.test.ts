import assert from "node:assert/strict";
import { test } from "node:test";
import { type Reader, type Sql, sql, text } from "../../src/database/index.ts";
import { findEvents } from "../../src/domain/event-log/event-list.store.ts";
import { listSignInAttempts, type SignInAttemptFilter } from "../../src/domain/sign-in-attempt/index.ts";
import { listUsers, type UserFilter } from "../../src/domain/user-search/index.ts";
import { eachEngine } from "../support/databases/databases.ts";
import { watchedReader } from "../support/databases/touched-rows.ts";
import { type Fixtures, makeFixtures, testTime } from "../support/operations/fixtures.ts";

// Twice as many as are found and put in order (`planList`), and as are walked along the order (`readFound`).
const size = 10_100;
const half = size / 2;
const countUpTo = 100;

/** How many of the numbers meet a condition. */
const amount = (isMeant: (n: number) => boolean): number =>
  Array.from({ length: size }, (_, index) => index + 1).filter(isMeant).length;

const nameOf = (n: number): string => `${n % 1000 === 0 ? "Zoe" : n > half ? "Yve" : "Ada"} ${n}`;

const numbers = (engine: Reader["engine"]): Sql =>
  engine === "sqlite"
    ? sql`(with recursive counted (n) as (select 1 union all select n + 1 from counted where n < ${size}) select n from counted) numbers`
    : sql`generate_series(1, cast(${size} as integer)) numbers (n)`;

/** Makes many users with an attempt and an event each; few attempts failed, few have another application or owner. */
async function fill({ database, owner }: Fixtures, [large = "", small = ""]: readonly string[]): Promise<void> {
  const from = numbers(database.engine);
  await database.touch(owner, async (tx) => {
    const { instanceId } = tx;
    tx.write(sql`insert into users (instance_id, user_id, organization_id, kind, state, username, username_key, preferred_login_name,
        login_name_key, display_name, sequence, created_at, changed_at, given_name, family_name, email, email_key,
        is_password_change_required, failed_password_checks)
      select ${instanceId}, '7' || n, ${large}, 'human', 'active', 'employee' || n, 'employee' || n, 'employee' || n || '@bank.example',
        'employee' || n || '@bank.example', case when n % 1000 = 0 then 'Zoe ' when n > ${half} then 'Yve ' else 'Ada ' end || n, 1, n, 1, 'Ada', 'Berg' || n,
        'employee' || n || '@mail.example', 'employee' || n || '@mail.example', 0, 0 from ${from}`);
    tx.write(sql`insert into sign_in_attempts (instance_id, attempt_id, user_id, organization_id, client_id, result, has_failed,
        reference, steps, started_at, changed_at)
      select ${instanceId}, '8' || n, '7' || n, ${large}, case when n % 1000 = 0 then 'rare' else 'common' end,
        case when n % 1000 = 1 then 'failed' else 'signed_in' end, case when n % 1000 in (1, 2) then 1 else 0 end, 'r' || n, '',
        cast(${testTime} as bigint) - n, 1 from ${from}`);
    tx.write(sql`insert into events (instance_id, aggregate_type, aggregate_id, sequence, type, owner_id, payload, editor_user_id,
        request_id, created_at)
      select ${instanceId}, 'user', '7' || n, 1, case when n % 3 = 0 then 'user.created' else 'user.profile.set' end,
        case when n % 1000 < 3 then cast(${small} as text) else ${large} end, '{}', case when n % 1000 < 2 then 'rare' else 'common' end,
        '', n from ${from}`);
    // A third, some of them with two accounts.
    tx.write(sql`insert into identity_links (instance_id, identity_provider_id, speaker, external_user_id, user_id, external_username,
        created_at, changed_at)
      select ${instanceId}, 'provider', '', kind || n, '7' || n, '', 1, 1 from ${from}
        cross join (select 'first' as kind union all select 'second') kinds where n % 3 = 0 and (kind = 'first' or n % 30 = 0)`);
    tx.write(sql`insert into user_groups (instance_id, group_id, organization_id, name, name_key, description, sequence, created_at, changed_at)
      values (${instanceId}, 'group', ${large}, 'All', 'all', '', 1, 1, 1)`);
    tx.write(sql`insert into user_group_members (instance_id, group_id, user_id, created_at)
      select ${instanceId}, 'group', '7' || n, n from ${from} where n % 2 = 0`);
    for (const table of ["users", "sign_in_attempts", "events", "identity_links", "user_group_members"] as const) {
      tx.write(sql`analyze ${text(table)}`);
    }
  });
}

const inNames = (method: "contains_ignore_case" | "starts_with_ignore_case", value: string): UserFilter => ({
  by: "or",
  filters: [
    { by: "displayName", method, value },
    { by: "familyName", method, value },
    { by: "loginName", method, value },
    { by: "email", method, value },
  ],
});

function watchedDatabase({ database }: Fixtures, most = 1100) {
  const { reader, long } = watchedReader(database, most);
  return { database: { ...database, read: reader } as typeof database, long };
}

/** Turns pages in the middle of all users, and in that of those whom a search finds. */
async function turnPages(fixtures: Fixtures): Promise<void> {
  const names = Array.from({ length: size }, (_, index) => nameOf(index + 1)).sort();
  for (const [filters, expected] of [
    [[], names],
    [[inNames("contains_ignore_case", "yve")], names.filter((name) => name.startsWith("Yve"))],
  ] as const) {
    const list = async (offset: number, pageToken = "") => {
      const { database, long } = watchedDatabase(fixtures);
      const page = { offset, limit: 20, countUpTo };
      const input = { filters, sortBy: "displayName", isDescending: false, page, pageToken } as const;
      const { users, next = "", previous = "" } = await listUsers({ database }, fixtures.owner, input);
      return { names: users.map(({ displayName }) => displayName), next, previous, long };
    };
    const middle = await list(2000);
    const after = await list(0, middle.next);
    const further = await list(0, after.next);
    const back = await list(0, further.previous);
    for (const [{ names: found }, start] of [
      [middle, 2000],
      [after, 2020],
      [further, 2040],
      [back, 2020],
    ] as const) {
      assert.deepEqual(found, expected.slice(start, start + 20));
    }
    // A search looks at more.
    if (filters.length === 0)
      assert.deepEqual(
        [after, further, back].flatMap((each) => each.long),
        [],
      );
  }
}

/** Lists the users of a provider and the members of a group, who are half of all or fewer. */
async function listLinked(fixtures: Fixtures): Promise<void> {
  const { owner } = fixtures;
  const filters: UserFilter[] = [{ by: "identityProvider", identityProviderId: "provider" }];
  const linked = amount((n) => n % 3 === 0);
  for (const [count, total] of [
    [countUpTo, countUpTo + 1],
    [size, linked],
    [undefined, linked],
  ] as const) {
    const { database, long } = watchedDatabase(fixtures, count === countUpTo ? 5100 : size);
    const page = { offset: 0, limit: 5, ...(count !== undefined && { countUpTo: count }) };
    const found = await listUsers({ database }, owner, { filters, sortBy: "displayName", isDescending: false, page });
    const names = found.users.map(({ displayName }) => displayName);
    assert.deepEqual(
      [names, found.total, long],
      [["Ada 1002", "Ada 1005", "Ada 1008", "Ada 1011", "Ada 1014"], total, []],
    );
  }
}

eachEngine((open) => {
  test("a list is counted up to a number, and read by an index where few of many match", async (t) => {
    const fixtures = await makeFixtures(t, open);
    const organizations = [await fixtures.organization("Large"), await fixtures.organization("Small")];
    const ids = organizations.map(({ organizationId }) => organizationId);
    await fill(fixtures, ids);
    const watched = (most?: number) => watchedDatabase(fixtures, most);

    const users = async (filter: UserFilter, count?: number) => {
      const { database, long } = watched();
      const page = { offset: 0, limit: 5, ...(count !== undefined && { countUpTo: count }) };
      const input = { filters: [filter], sortBy: "displayName", isDescending: false, page } as const;
      const { total, users: found } = await listUsers({ database }, fixtures.owner, input);
      // There are no further domains of organizations.
      return {
        total,
        first: found[0]?.preferredLoginName,
        long: long.filter((each) => !each.includes("organization_domains_secondary")),
      };
    };
    for (const text of ["employee", "berg", "ad"]) {
      const filter = inNames(text === "ad" ? "starts_with_ignore_case" : "contains_ignore_case", text);
      const all = text === "ad" ? amount((n) => n % 1000 > 0 && n <= half) : size;
      assert.equal((await users(filter)).total, all, text);
      assert.equal((await users(filter, countUpTo)).total, countUpTo + 1, text);
      // Some are found by several of their names.
      assert.equal((await users(filter, size)).total, all, text);
    }
    // Many, all of them behind many others.
    for (const count of [undefined, countUpTo, size]) {
      const { total, first } = await users(inNames("contains_ignore_case", "yve"), count);
      const all = amount((n) => n % 1000 > 0 && n > half);
      assert.deepEqual([first, total], ["employee10001@bank.example", count === countUpTo ? countUpTo + 1 : all]);
    }
    const beginnings = { zo: 10, z: 10, employee601: 11, "employee6000@ba": 1, "employee6000@": 1, unknown: 0 };
    for (const [text, count] of Object.entries(beginnings)) {
      const { total, long } = await users(inNames("starts_with_ignore_case", text), countUpTo);
      assert.deepEqual([total, long], [count, []], text);
    }

    const attempts = async (filters: readonly SignInAttemptFilter[]) => {
      const { database, long } = watched();
      const page = { offset: 0, limit: 5, countUpTo };
      const { total } = await listSignInAttempts({ database }, fixtures.owner, { filters, isDescending: true, page });
      // That index has nothing else.
      return { total, long: long.filter((each) => !each.includes("sign_in_attempts_with_failures")) };
    };
    const failed: SignInAttemptFilter = { by: "result", result: "failed" };
    assert.deepEqual(await attempts([{ by: "failure", hasFailed: true }]), { total: 22, long: [] });
    assert.deepEqual(await attempts([failed]), { total: 11, long: [] });
    assert.deepEqual(await attempts([{ by: "client", clientId: "rare" }]), { total: 10, long: [] });
    assert.deepEqual(await attempts([{ by: "client", clientId: "rare" }, failed]), { total: 0, long: [] });
    assert.equal((await attempts([{ by: "client", clientId: "common" }])).total, countUpTo + 1);
    assert.equal((await attempts([{ by: "failure", hasFailed: false }])).total, countUpTo + 1);

    const everything = { limit: 100, isAscending: false, types: [], aggregateTypes: [], time: {} };
    const [large = "", small = ""] = ids;
    const created = { types: ["user.created"] };
    const searches = [
      [{ ownerId: small, ...created }, amount((n) => n % 1000 < 3 && n % 3 === 0)],
      [{ ownerId: small, editorUserId: "common" }, amount((n) => n % 1000 === 2)],
      [{ ownerId: large, editorUserId: "rare" }, 0],
      [{ editorUserId: "rare", ...created }, amount((n) => n % 1000 < 2 && n % 3 === 0)],
      [{ ownerId: small, types: ["session.created"] }, 0],
    ] as const;
    for (const [search, count] of searches) {
      // The events of an owner or editor are counted up to 5,000.
      const { database, long } = watched(5100);
      const found = await findEvents(database.read, fixtures.owner.instanceId, { ...everything, ...search });
      assert.deepEqual([found.length, long], [count, []], JSON.stringify(search));
    }
    await turnPages(fixtures);
    await listLinked(fixtures);
  });
});
