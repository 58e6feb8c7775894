import assert from "node:assert/strict";
import { test } from "node:test";
import { days, hours } from "../../src/base/clock.ts";
import { sql } from "../../src/database/index.ts";
import { addApp } from "../factor/support.ts";
import { enter, isBack, signedIn, visit } from "../login/support/sign-in.ts";
import { confirm, grace } from "../login/support/sign-up.ts";
import { countStatements } from "../support/databases/counted-statements.ts";
import { addOwnedOrganization, addServiceAccount } from "../support/people/owners.ts";
import { addPerson, appoint } from "../support/people/people.ts";
import { createSecondInstance, secondHost, systemUser } from "../support/people/system-user.ts";
import { eachServer } from "../support/servers/each-server.ts";
import type { TestServer } from "../support/servers/server.ts";
import { addClient } from "../support/sign-in/sign-in-client.ts";
import { appCode } from "../support/sign-in/totp.ts";
import { countAll, growth, listSeries, totals } from "./support/statistics.ts";

/** Returns what work adds to the counts of the instance. */
async function grown(server: TestServer, work: () => Promise<unknown>): Promise<Readonly<Record<string, number>>> {
  await countAll(server);
  const before = await totals(server);
  await work();
  await countAll(server);
  return growth(before, await totals(server));
}

eachServer((start) => {
  test("sign-ins are counted once, by what they began with, and refusals by what was wrong", async (t) => {
    const server = await start(t);
    const client = await addClient(server);
    const ada = await addPerson(server, { username: "ada" });
    const bob = await addPerson(server, { username: "bob" });

    const simple = await grown(server, async () => {
      const visitor = await visit(server, client);
      const back = await enter(visitor, ada);
      assert.ok(isBack(back), back.html);
      assert.equal((await client.exchange(back.address, visitor.codeVerifier)).status, 200);
    });
    assert.deepEqual(simple, { active_people: 1, sign_in_password: 1, token_issued: 1 });

    const refused = await grown(server, async () => {
      await enter(await visit(server, client), { ...ada, password: "wrong" });
      await enter(await visit(server, client), { loginName: "eve@doorward.localhost", password: "wrong" });
      await signedIn(server, ada);
    });
    assert.deepEqual(
      refused,
      { sign_in_failure_password: 1, sign_in_password: 1 },
      "and a person is active once a day",
    );

    const secret = await addApp(server, bob, (made) => appCode(made, server.clock.now));
    server.clock.now += 60_000;
    const twoSteps = await grown(server, async () => {
      const visitor = await visit(server, client);
      const asked = await enter(visitor, bob);
      const wrong = await visitor.browser.submit(asked, { code: "000000" });
      const back = await visitor.browser.submit(wrong, { code: appCode(secret, server.clock.now) });
      assert.ok(isBack(back), back.html);
    });
    assert.deepEqual(twoSteps, { active_people: 1, sign_in_failure_second_factor: 1, sign_in_password: 1 });

    server.clock.now += 60_000;
    const custom = await grown(server, async () => {
      const call = async (method: string, path: string, body: object) => {
        const answer = await server.rest(method, path, { body });
        assert.ok(answer.status < 300, JSON.stringify(answer.body));
        return answer.body;
      };
      const { sessionId } = await call("POST", "/v2/sessions", { checks: { user: { userId: bob.userId } } });
      const path = `/v2/sessions/${sessionId}`;
      await call("PATCH", path, { checks: { password: { password: bob.password } } });
      server.clock.now += 1000;
      await call("PATCH", path, { checks: { totp: { code: appCode(secret, server.clock.now) } } });
      server.clock.now += 1000;
      await call("PATCH", path, { metadata: { note: "bm90ZQ==" } });
    });
    assert.deepEqual(custom, { sign_in_password: 1 });
  });

  test("accounts are counted when they are made, by their user or for them, and when they are deleted", async (t) => {
    const server = await start(t);
    const made = await grown(server, async () => {
      const { browser, page } = await visit(server, await addClient(server), { prompt: "create" });
      const back = await confirm(server, browser, await browser.submit(page, grace));
      assert.ok(isBack(back), back.html);
    });
    assert.deepEqual(made, { active_people: 1, sign_in_password: 1, user_registered: 1 });
    const { organizationId, userId } = await addPerson(server, { username: "ada" });
    await addServiceAccount(server, organizationId, "robot");
    const deleted = await grown(server, () => server.rest("DELETE", `/v2/users/${userId}`));
    assert.deepEqual(deleted, { user_deleted: 1 });
    assert.equal((await totals(server))["user_created"], 1, "service accounts are not people");
  });

  test("buckets are hours, days and months of UTC, and each person counts once in each", async (t) => {
    const server = await start(t, { now: Date.UTC(2027, 0, 31, 22, 30) });
    const ada = await addPerson(server, { username: "ada" });
    for (let passed = 0; passed < 3; passed++) {
      await signedIn(server, ada);
      server.clock.now += hours(1);
    }
    await countAll(server);
    const list = async (granularity: string, name: string, startDate: string): Promise<unknown[]> => {
      const request = { granularity: `STATISTIC_GRANULARITY_${granularity}`, startDate };
      const [series] = await listSeries(server, { ...request, names: [`STATISTIC_NAME_${name}`] });
      return (series?.buckets ?? []).map(({ startDate: at, count = "0" }) => [at, Number(count)]);
    };
    const signIns = (granularity: string) => list(granularity, "SIGN_IN_PASSWORD", "2027-01-31T22:59:00Z");
    assert.deepEqual(await signIns("HOUR"), [
      ["2027-01-31T22:00:00Z", 1],
      ["2027-01-31T23:00:00Z", 1],
      ["2027-02-01T00:00:00Z", 1],
      ["2027-02-01T01:00:00Z", 0],
    ]);
    const parts = [
      ["2027-01-31T00:00:00Z", 2],
      ["2027-02-01T00:00:00Z", 1],
    ];
    assert.deepEqual(await signIns("DAY"), parts);
    const months = [
      ["2027-01-01T00:00:00Z", 2],
      ["2027-02-01T00:00:00Z", 1],
    ];
    assert.deepEqual(await signIns("MONTH"), months);
    const people = (granularity: string) => list(granularity, "ACTIVE_PEOPLE", "2027-01-31T00:00:00Z");
    const once = (rows: readonly (readonly (string | number)[])[]) => rows.map(([at]) => [at, 1]);
    assert.deepEqual(await people("DAY"), once(parts));
    assert.deepEqual(await people("MONTH"), once(months));
    assert.deepEqual(await people("HOUR"), [], "not by hour");
    const all = await listSeries(server, { granularity: "STATISTIC_GRANULARITY_HOUR" });
    assert.deepEqual(new Set(all.map(({ buckets }) => buckets.length)), new Set([14 * 24]), "as far as hours are kept");
    const future = { granularity: "STATISTIC_GRANULARITY_DAY", startDate: "2027-02-02T00:00:00Z" };
    assert.deepEqual(
      new Set((await listSeries(server, future)).map(({ buckets }) => buckets?.length ?? 0)),
      new Set([0]),
    );
  });

  test("an organization's counts are for those who may read its users, those of the instance for its administrators", async (t) => {
    const { config, tokenFor } = systemUser(t);
    const server = await start(t, { config });
    const acme = await addOwnedOrganization(server, "Acme");
    const other = await addOwnedOrganization(server, "Other");
    const viewer = await addServiceAccount(server, other.organizationId, "viewer");
    await appoint(server, viewer, { instance: true }, ["IAM_OWNER_VIEWER"]);
    const { pat } = await createSecondInstance(server, tokenFor(server));
    await signedIn(server, await addPerson(server, { username: "ada", organizationId: acme.organizationId }));
    await countAll(server);
    const own = { active_people: 1, sign_in_password: 1, user_created: 1 };
    const { organizationId } = acme;
    for (const token of [acme.token, viewer.token, server.ownerToken]) {
      assert.deepEqual(await totals(server, { organizationId }, { token }), own);
    }
    assert.deepEqual(await totals(server, { organizationId: other.organizationId }, { token: other.token }), {});
    for (const token of [viewer.token, server.ownerToken]) {
      assert.equal((await totals(server, {}, { token }))["sign_in_password"], 1);
    }
    const granularity = "STATISTIC_GRANULARITY_DAY";
    const statusOf = async (token: string, body: object): Promise<number> =>
      (await server.rest("POST", "/v2/statistics/search", { token, body: { granularity, ...body } })).status;
    assert.equal(await statusOf(other.token, { organizationId }), 403);
    assert.equal(await statusOf(other.token, { organizationId: "1234" }), 403, "as one that does not exist");
    assert.equal(await statusOf(other.token, {}), 403);
    assert.equal(await statusOf(server.ownerToken, { organizationId: "1234" }), 404);

    const there = async (body: object) =>
      server.byHost(secondHost, "POST", "/v2/statistics/search", { token: pat, body: { granularity, ...body } });
    const { status, body } = await there({});
    assert.equal(status, 200);
    assert.doesNotMatch(JSON.stringify(body), /"count":"?[1-9]/, "nothing happened in the other instance");
    assert.equal((await there({ organizationId })).status, 404);
  });

  test("counts end with their organization and after their time, and a deleted user leaves none of their days", async (t) => {
    const server = await start(t);
    const { database } = server.app.domain;
    const acme = await addOwnedOrganization(server, "Acme");
    const ada = await addPerson(server, { username: "ada", organizationId: acme.organizationId });
    const bob = await addPerson(server, { username: "bob", organizationId: acme.organizationId });
    await signedIn(server, ada);
    await signedIn(server, bob);
    await countAll(server);
    const rowsOf = async (organizationId: string): Promise<number> =>
      (await database.read.all(sql`select 1 as "one" from statistics where organization_id = ${organizationId}`))
        .length;
    const usersNoted = async (): Promise<string[]> =>
      (
        await database.read.all<{ userId: string }>(sql`select distinct user_id as "userId" from active_users
          order by user_id`)
      ).map(({ userId }) => userId);
    assert.ok((await rowsOf(acme.organizationId)) > 0);
    assert.deepEqual(await usersNoted(), [ada.userId, bob.userId].sort());
    assert.equal((await server.rest("DELETE", `/v2/users/${ada.userId}`)).status, 200);
    assert.deepEqual(await usersNoted(), [bob.userId]);
    // Not counted before its organization is gone.
    await signedIn(server, bob);
    assert.equal((await server.rest("DELETE", `/v2/organizations/${acme.organizationId}`)).status, 200);
    assert.equal(await rowsOf(acme.organizationId), 0);
    await countAll(server);
    assert.deepEqual([await rowsOf(acme.organizationId), await usersNoted()], [0, []]);
    assert.equal((await totals(server))["sign_in_password"], 3, "the instance keeps its counts");

    await signedIn(server, await addPerson(server, { username: "cleo" }));
    await countAll(server);
    const lengths = async (): Promise<string[]> => {
      await server.app.jobs.tick();
      const rows = await database.read.all<{ granularity: string }>(sql`select distinct granularity from statistics
        order by granularity`);
      return [...rows.map(({ granularity }) => granularity), ...((await usersNoted()).length > 0 ? ["users"] : [])];
    };
    const begun = server.clock.now;
    assert.deepEqual(await lengths(), ["day", "hour", "month", "users"]);
    server.clock.now = begun + days(15);
    assert.deepEqual(await lengths(), ["day", "month", "users"], "the month is not over");
    server.clock.now = begun + days(60);
    assert.deepEqual(await lengths(), ["day", "month"]);
    server.clock.now = begun + days(401);
    assert.deepEqual(await lengths(), ["month"]);
    server.clock.now = begun + days(1132);
    assert.deepEqual(await lengths(), []);
  });

  test("where things happen, nothing is written for it, and a quiet moment costs three reads", async (t) => {
    const server = await start(t);
    const { database } = server.app.domain;
    const client = await addClient(server);
    const ada = await addPerson(server, { username: "ada" });
    const counted = countStatements(database);
    const signIn = async (): Promise<void> => {
      const visitor = await visit(server, client);
      const back = await enter(visitor, ada);
      assert.equal((await client.exchange(back.address, visitor.codeVerifier)).status, 200);
    };
    await signIn();
    const sent = await counted.during(signIn);
    assert.ok(sent.length > 10);
    assert.deepEqual(
      sent.filter((statement) => /statistics|active_users|feed_cursors/.test(statement)),
      [],
    );
    await countAll(server);
    // Background jobs of the server may read beside it, so the quietest of several rounds counts.
    const rounds: string[][] = [];
    for (let i = 0; i < 5; i++) {
      const idle = await counted.during(() => countAll(server));
      const asked = idle.filter((statement) => !statement.includes('"isDone"'));
      rounds.push(asked.map((statement) => statement.split(" ")[0] ?? ""));
    }
    const quietest = rounds.sort((one, other) => one.length - other.length)[0];
    assert.deepEqual(quietest, ["select", "select", "select"]);
  });
});
