import assert from "node:assert/strict";
import { test } from "node:test";
import { eachServer } from "../support/each-server.ts";
import { addPerson } from "../support/people.ts";
import type { TestServer } from "../support/server.ts";

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
    const organizations = await server.rest("POST", "/v2/organizations/_search", {
      body: { queries: Array.from({ length: 60 }, (_, index) => ({ idQuery: { id: `${index}` } })) },
    });
    assert.deepEqual([organizations.status, organizations.body.code], [400, 3]);
  });

  test("whoever asks for many such lists waits, and others do not (A27)", async (t) => {
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
