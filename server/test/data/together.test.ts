import assert from "node:assert/strict";
import { test } from "node:test";
import { sql, text } from "../../src/database/index.ts";
import { actionsOf } from "../action/support/actions.ts";
import { startQuotaServer } from "../limits/support/quota.ts";
import type { Ending } from "../support/databases/databases.ts";
import { startReceiver } from "../support/http/receiver.ts";
import { proveDomain } from "../support/people/prove-domain.ts";
import { eachServer, type Start } from "../support/servers/each-server.ts";
import type { TestServer } from "../support/servers/server.ts";
import { mixedPeople } from "./support/mixed-people.ts";

const importData = "service.admin.v1.AdminService/ImportData";
const createUser = "/service.user.v2.UserService/CreateUser";

const plain = (index: number, userName = `plain${index}`) => ({
  userId: `plain${index}`,
  user: {
    userName,
    profile: { firstName: "P", lastName: "P" },
    email: { email: `plain${index}@mail.example`, isEmailVerified: true },
  },
});

async function importing(server: TestServer, orgs: readonly object[]) {
  const { status, body } = await server.connect(importData, { dataOrgs: { orgs } });
  assert.equal(status, 200, JSON.stringify(body));
  return body;
}

const includesDomain = { userLoginMustBeDomain: true };
const collisions = { ids: ["org-a", "gone", "elsewhere", "machine"], names: ["robot", "guest", "guest@mail.example"] };
const domain = "proven.example";

/** Starts a server with everything that people of an import can collide with. */
async function startWithOthers(t: Ending, start: Start): Promise<TestServer> {
  const server = await start(t);
  const guest = { ...plain(0, "guest@mail.example"), userId: "elsewhere" };
  guest.user.email.email = "guest@mail.example";
  const gone = { ...plain(1, "gone"), userId: "gone" };
  const body = await importing(server, [
    {
      orgId: "org-a",
      org: { name: "A" },
      machineUsers: [{ userId: "machine", user: { userName: "robot", name: "R" } }],
    },
    { orgId: "org-b", org: { name: "B" }, domainPolicy: { orgId: "org-b", ...includesDomain } },
    { orgId: "org-c", org: { name: "C" }, humanUsers: [guest, gone] },
  ]);
  assert.equal(body.errors, undefined, JSON.stringify(body.errors));
  const deleted = await server.connect("service.user.v2.UserService/DeleteUser", { userId: "gone" });
  assert.equal(deleted.status, 200);
  await proveDomain(server, "org-c", domain);
  return server;
}

// Indexes for searches, what jobs do at any time, and what changes with each use of a token.
const derived =
  /^(?:signing_keys|user_words|sqlite_|feed_cursors|migrations|personal_access_tokens|user_counts)|statistic|transaction/;
const moving = new Set(["position", "request_id", "search_number", "transaction_id"]);

/** Returns every row that an import may have written, by table, as texts that are the same on any server. */
async function rowsOf({ app, location }: TestServer): Promise<ReadonlyMap<string, readonly string[]>> {
  const { read } = app.domain.database;
  const columns = await read.all<{ table: string; column: string }>(
    location.url === undefined
      ? sql`select m.name as "table", c.name as "column" from sqlite_master m, pragma_table_info(m.name) c where m.type = 'table'`
      : sql`select table_name as "table", column_name as "column" from information_schema.columns
          where table_schema = current_schema()`,
  );
  const rows = new Map<string, readonly string[]>();
  for (const [table, its = []] of Object.entries(Object.groupBy(columns, (each) => each.table))) {
    if (derived.test(table)) continue;
    const names = its.map(({ column }) => `"${column}"`).filter((name) => !moving.has(JSON.parse(name)));
    const found = await read.all<object>(
      sql`select ${text(names.join(", ") as "row_id")} from ${text(table as "events")}`,
    );
    rows.set(
      table,
      found.map((row) => JSON.stringify(Object.entries(row).sort())),
    );
  }
  return rows;
}

/** Imports, and returns the answer with the rows that were added, without what differs by server. */
async function outcomeOf(server: TestServer, requests: readonly (readonly object[])[]) {
  const instance = await server.app.domain.findInstanceByHost("localhost");
  const { body } = await server.rest("GET", "/auth/v1/users/me");
  const normal = (row: string): string =>
    row.replaceAll(instance?.instanceId ?? "?", "INSTANCE").replaceAll(body.user.id, "IMPORTER");
  const before = await rowsOf(server);
  const answers = [];
  for (const orgs of requests) answers.push(await importing(server, orgs));
  const added: Record<string, readonly string[]> = {};
  for (const [table, rows] of await rowsOf(server)) {
    const known = new Set(before.get(table));
    const its = rows.filter((row) => !known.has(row) && !row.includes("signing_key")).map(normal);
    its.sort();
    if (its.length > 0) added[table] = its;
  }
  return { answers, added };
}

/** Requests with people who collide within a request, with one another, and with those of an earlier request. */
function requestsOf(seed: number): readonly (readonly object[])[] {
  const people = (count: number, more: number) => mixedPeople({ ...collisions, domain }, count, seed + more);
  const inA = people(110, 1);
  const userMetadata = [{ id: "id1", key: "plan", value: "eA==" }];
  return [
    [
      { orgId: "org-a", humanUsers: inA, userMetadata },
      { orgId: "org-b", humanUsers: people(70, 2) },
      { orgId: "absent", humanUsers: people(3, 3) },
    ],
    [
      { orgId: "org-a", humanUsers: inA.slice(0, 20) },
      { orgId: "org-c", humanUsers: people(60, 4) },
    ],
  ];
}

eachServer((start) => {
  test("people who are created together are as if they had come one by one, whatever they collide with", async (t) => {
    const [together, alone] = [await startWithOthers(t, start), await startWithOthers(t, start)];
    const receiver = await startReceiver(t);
    // A target that changes nothing, around the method that creates a user: then each is created by it.
    const actions = actionsOf(alone);
    const target = await actions.createTarget(receiver.origin, { kind: "restWebhook" });
    await actions.set({ request: { method: createUser } }, [target]);
    const requests = requestsOf(71);
    const [one, other] = [await outcomeOf(together, requests), await outcomeOf(alone, requests)];
    assert.deepEqual(one.answers, other.answers);
    assert.deepEqual(Object.keys(one.added), Object.keys(other.added));
    for (const [table, rows] of Object.entries(one.added)) assert.deepEqual(rows, other.added[table], table);
    const created = one.added["users"]?.length ?? 0;
    const refused = one.answers
      .flatMap(({ errors = [] }) => errors)
      .map(({ message }) => /\(([\w.]+)\)$/.exec(message)?.[1]);
    assert.ok(created > 60, `${created} created`);
    assert.ok(receiver.received.length > created, "the control was called for each");
    for (const slug of [
      "user.id_taken",
      "user.username_taken",
      "user.username_is_address",
      "user.username_invalid",
      "user.email_invalid",
      "user.password_hash_unsupported",
      "user.password_hash_too_costly",
      "organization.context_unknown",
    ]) {
      assert.ok(refused.includes(slug), `${slug} in ${[...new Set(refused)].join()}`);
    }
  });

  test("plain people are one unit of work, and found by every search", async (t) => {
    const server = await start(t);
    let now = server.clock.now;
    Object.defineProperty(server.clock, "now", { get: () => now++ });
    const humanUsers = Array.from({ length: 64 }, (_, index) => plain(index));
    const body = await importing(server, [{ orgId: "org-a", org: { name: "A" }, humanUsers }]);
    assert.equal(body.errors, undefined, JSON.stringify(body.errors));
    const users = await server.app.domain.database.read.all<{ at: number }>(
      sql`select distinct created_at as "at" from users where organization_id = 'org-a'`,
    );
    assert.equal(users.length, 1);
    const events = await server.app.domain.database.read.all<{ id: string }>(
      sql`select aggregate_id as "id" from events where owner_id = 'org-a' and type = 'user.created' order by position`,
    );
    assert.deepEqual(
      events.map(({ id }) => id),
      humanUsers.map(({ userId }) => userId),
    );
    const queries = [{ userNameQuery: { userName: "lain6", method: "TEXT_QUERY_METHOD_CONTAINS" } }];
    const { body: found } = await server.connect("service.user.v2.UserService/ListUsers", { queries });
    assert.equal(found.details.totalResult, "5");
  });
});

test("each person counts as a request of the quota, once, and those beyond it are refused", async (t) => {
  const quota = await startQuotaServer(t, "sqlite");
  const humanUsers = [plain(1), plain(2), { ...plain(3, "plain2") }, plain(4), plain(5), plain(6)];
  await quota.set({ amount: 6, limit: true });
  // The import and the organization count too.
  const body = await importing(quota.server, [{ orgId: "org-a", org: { name: "A" }, humanUsers }]);
  const told = body.errors.map(
    ({ id, message }: Record<string, string>) => `${id} ${/\(([\w.]+)\)$/.exec(message ?? "")?.[1]}`,
  );
  assert.deepEqual(body.success.orgs[0].humanUserIds, ["plain1", "plain2", "plain4"]);
  assert.deepEqual(told.slice(0, 1), ["plain3 user.username_taken"]);
  assert.deepEqual(
    told.slice(1).map((line: string) => line.slice(0, 12)),
    ["plain5 quota", "plain6 quota"],
  );
});
