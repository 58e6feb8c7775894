import assert from "node:assert/strict";
import { test } from "node:test";
import { fetch } from "../support/http/fetch.ts";
import { addPerson } from "../support/people/people.ts";
import { eachServer } from "../support/servers/each-server.ts";
import type { RestAnswer, TestServer } from "../support/servers/server.ts";

type Query = Readonly<Record<string, unknown>>;

const named = (count: number): Query[] =>
  Array.from({ length: count }, (_, index) => ({ userNameQuery: { userName: `name${index}` } }));

/** The same conditions in every way that the contract has for nesting them. */
const nestings: Readonly<Record<string, (queries: Query[]) => Query[]>> = {
  "side by side": (queries) => queries,
  "in an or": (queries) => [{ orQuery: { queries: queries.slice(1) } }],
  "in an and inside of a not": (queries) => [{ notQuery: { query: { andQuery: { queries: queries.slice(1) } } } }],
  "in two ors": (queries) => [
    { orQuery: { queries: queries.slice(0, 24) } },
    { orQuery: { queries: queries.slice(26) } },
  ],
};

eachServer((start) => {
  test("a list takes fifty conditions in whatever way they are nested, and no more (A27)", async (t) => {
    const server = await start(t);
    await addPerson(server, { username: "name7" });
    for (const [name, nest] of Object.entries(nestings)) {
      const list = (count: number) =>
        server.connect("service.user.v2.UserService/ListUsers", { queries: nest(named(count)) });
      const good = await list(50);
      assert.equal(good.status, 200, `${name}: ${JSON.stringify(good.body)}`);
      for (const count of [53, 400, 800, 5000]) await isRefused(list(count), `${name}: ${count}`);
    }
    const v1 = (count: number) =>
      server.rest("POST", "/management/v1/users/_search", { body: { queries: named(count) } });
    assert.equal((await v1(50)).status, 200);
    const refused = await v1(51);
    assert.deepEqual([refused.status, refused.body.code], [400, 3]);
    assert.match(refused.body.message, /queries/);
    // Also where a message holds them that is no list.
    const job = (count: number) =>
      server.connect("service.job.v2.JobService/CreateJob", {
        dryRun: true,
        filter: { queries: named(count) },
        lock: {},
      });
    assert.notEqual(JSON.stringify((await job(50)).body).includes("queries"), true);
    await isRefused(job(51), "the filter of a job");
    const organizations = await server.rest("POST", "/v2/organizations/_search", {
      body: { queries: Array.from({ length: 60 }, (_, index) => ({ idQuery: { id: `${index}` } })) },
    });
    assert.deepEqual([organizations.status, organizations.body.code], [400, 3]);
  });

  test("the conditions of a list hold so many values, together and in whatever list (A27)", async (t) => {
    const server = await start(t);
    const ids = (count: number): string[] => Array.from({ length: count }, (_, index) => `${index}`);
    const lists: Readonly<Record<string, (...counts: number[]) => Promise<RestAnswer>>> = {
      "users by id": (...counts) =>
        server.connect("service.user.v2.UserService/ListUsers", {
          queries: counts.map((count) => ({ inUserIdsQuery: { userIds: ids(count) } })),
        }),
      "users by address": (...counts) =>
        server.connect("service.user.v2.UserService/ListUsers", {
          queries: counts.map((count) => ({ inUserEmailsQuery: { userEmails: ids(count) } })),
        }),
      "role assignments": (...counts) =>
        server.connect("service.authorization.v2.AuthorizationService/ListAuthorizations", {
          filters: counts.map((count) => ({ inUserIds: { ids: ids(count) } })),
        }),
      "role assignments (v1)": (...counts) =>
        server.rest("POST", "/management/v1/users/grants/_search", {
          body: { queries: counts.map((count) => ({ inUserIdsQuery: { inUserIds: ids(count) } })) },
        }),
      sessions: (...counts) =>
        server.rest("POST", "/v2/sessions/search", {
          body: { queries: counts.map((count) => ({ idsQuery: { ids: ids(count) } })) },
        }),
    };
    for (const [name, ask] of Object.entries(lists)) {
      const good = await ask(4_000, 96);
      assert.equal(good.status, 200, `${name}: ${JSON.stringify(good.body)}`);
      for (const counts of [[8_193], [100_000], [5_000, 5_000]]) {
        const { status, body } = await ask(...counts);
        assert.ok(status === 400 && [3, "invalid_argument"].includes(body.code), `${name}: ${JSON.stringify(body)}`);
      }
    }
    // What is not a condition is bounded as well.
    const keys = await server.connect("service.authorization.v2.AuthorizationService/CreateAuthorization", {
      userId: "1",
      projectId: "2",
      organizationId: "3",
      roleKeys: ids(8_193),
    });
    assert.deepEqual([keys.status, keys.body.code], [400, "invalid_argument"]);
    assert.match(keys.body.message, /roleKeys/);
  });

  test("a caller that asks for many such lists waits, and others do not (A27)", async (t) => {
    const server = await start(t);
    const ask = (count: number) =>
      server.connect("service.user.v2.UserService/ListUsers", { queries: named(count), query: { limit: 1 } });
    let last = await ask(50);
    for (let count = 0; count < 200 && last.status === 200; count++) last = await ask(50);
    assert.equal(last.status, 429, JSON.stringify(last.body));
    assert.equal(last.body.code, "resource_exhausted");
    assert.ok(Number(last.headers.get("retry-after")) > 0);
    const metrics = await (await fetch(`${server.origin}/debug/metrics`)).text();
    assert.match(metrics, /^doorward_budget_refusals_total\{budget="conditions_of_caller"\} 1$/m);
    assert.equal((await ask(5)).status, 200, "a usual list");
    server.clock.now += 60_000;
    assert.equal((await ask(50)).status, 200, "later again");
  });
});

async function isRefused(asked: ReturnType<TestServer["connect"]>, what: string): Promise<void> {
  const { status, body } = await asked;
  assert.deepEqual([status, body.code], [400, "invalid_argument"], `${what}: ${JSON.stringify(body)}`);
  assert.match(JSON.stringify(body), /queries/, what);
}
