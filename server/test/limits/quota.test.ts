import assert from "node:assert/strict";
import { test } from "node:test";
import { actionsOf } from "../action/support/actions.ts";
import { preUserinfo, scriptsOf } from "../script/support/scripts.ts";
import { eachEngine, onPostgres } from "../support/databases/databases.ts";
import { beginOutside } from "../support/databases/outside-transaction.ts";
import { startReceiver } from "../support/http/receiver.ts";
import { defaultOrganization } from "../support/people/people.ts";
import { startServer } from "../support/servers/server.ts";
import { slug, startQuotaServer } from "./support/quota.ts";

const hour = 3_600_000;

eachEngine((_open, engine) => {
  test("requests with a valid token count, and are refused until the next period when the quota is used up", async (t) => {
    const { server, token, set, me, used } = await startQuotaServer(t, engine);
    const { access_token: accessToken = "" } = await server.tokens();
    assert.equal((await me()).status, 200);
    assert.deepEqual(await used(), [], "nothing is counted without a quota");
    const added = await set({ amount: 4, limit: true });
    assert.equal(added.status, 200, JSON.stringify(added.body));
    const userinfo = () => server.rest("GET", "/oidc/v1/userinfo", { token: accessToken });
    const introspect = (text: string) => server.form("/oauth/v2/introspect", { token: text }, server.client.basic);

    const taken = [await me(), await userinfo(), await introspect(accessToken), await me()];
    assert.deepEqual(
      taken.map(({ status }) => status),
      [200, 200, 200, 200],
    );
    assert.equal((await server.rest("GET", "/auth/v1/users/me", { token: "wrong" })).status, 401);
    server.clock.now += 600_000;
    const refused = await me();
    assert.deepEqual([refused.status, refused.body.code, slug(refused)], [429, 8, "quota.exhausted"]);
    assert.equal(refused.headers.get("retry-after"), "3000");
    const called = await server.connect("service.org.v2.OrganizationService/ListOrganizations", {});
    assert.deepEqual([called.status, called.body.code, slug(called)], [429, "resource_exhausted", "quota.exhausted"]);
    const atUserinfo = await userinfo();
    assert.deepEqual([atUserinfo.status, atUserinfo.body.error], [429, "temporarily_unavailable"]);
    assert.equal(atUserinfo.headers.get("retry-after"), "3000");
    assert.equal((await introspect(accessToken)).status, 429);

    // What has no valid token, and what the operator does, is neither counted nor refused.
    assert.equal((await server.rest("GET", "/auth/v1/users/me", { token: "wrong" })).status, 401);
    assert.deepEqual((await introspect("wrong")).body, { active: false });
    assert.equal((await server.rest("POST", "/system/v1/instances/_search", { token: token(), body: {} })).status, 200);
    assert.equal((await server.rest("POST", "/v2/organizations/_search", { token: token(), body: {} })).status, 200);
    assert.equal((await fetch(`${server.origin}/ui/login`)).status, 200, "hosted pages go on");

    server.clock.now += hour - 600_000;
    assert.equal((await me()).status, 200, "a new period");
    assert.deepEqual(await used(), [4, 1]);
    server.clock.now += 2 * hour;
    await me();
    assert.deepEqual(await used(), [1], "what came before the last period is gone");
  });

  test("a quota without a limit refuses nothing, and one of the future counts nothing", async (t) => {
    const { server, add, set, me, used } = await startQuotaServer(t, engine);
    assert.equal(
      (await add({ amount: 1, limit: true, from: new Date(server.clock.now + hour).toISOString() })).status,
      200,
    );
    for (let index = 0; index < 3; index++) assert.equal((await me()).status, 200);
    assert.deepEqual(await used(), []);
    await set({ amount: 1, limit: false });
    for (let index = 0; index < 3; index++) assert.equal((await me()).status, 200);
    assert.deepEqual(await used(), [3]);
    await set({ amount: 3, limit: true });
    assert.equal((await me()).status, 429, "what was counted stays when the terms change");
    await set({ amount: 4, limit: true });
    assert.deepEqual([(await me()).status, (await me()).status], [200, 429]);
  });

  test("of requests at the same moment no more succeed than the quota allows", async (t) => {
    const { set, me, used } = await startQuotaServer(t, engine);
    await set({ amount: 7, limit: true });
    const answers = await Promise.all(Array.from({ length: 20 }, () => me()));
    assert.equal(answers.filter(({ status }) => status === 200).length, 7);
    assert.deepEqual(await used(), [7]);
  });

  test("what was counted survives a restart", async (t) => {
    const { server, set, me, config } = await startQuotaServer(t, engine);
    await set({ amount: 4, limit: true });
    for (let index = 0; index < 3; index++) assert.equal((await me()).status, 200);
    await server.app.close();
    const { location, ownerToken, origin, clock } = server;
    const next = await startServer(t, { location, ownerToken, now: clock.now, config: { ...config, baseUrl: origin } });
    assert.deepEqual([(await me(next)).status, (await me(next)).status], [200, 429]);
  });

  test("each threshold is told once in a period, until the address takes it", async (t) => {
    const { server, set, me, remove } = await startQuotaServer(t, engine);
    const receiver = await startReceiver(t);
    const callUrl = `${receiver.origin}/hook?key=private`;
    const notifications = [
      { percent: 50, repeat: true, callUrl },
      { percent: 80, repeat: false, callUrl: `${receiver.origin}/once` },
    ];
    await set({ amount: 10, notifications });
    const use = async (count: number): Promise<void> => {
      for (let index = 0; index < count; index++) assert.equal((await me()).status, 200);
      // The first tick writes and queues, the second sends what the first queued.
      for (let round = 0; round < 2; round++) {
        server.clock.now += 15_000;
        await server.app.jobs.tick();
      }
    };
    const told = () =>
      receiver.received.map(({ path, body }) => {
        const { unit, threshold, usage, callURL, id, periodStart } = JSON.parse(body);
        assert.ok(id && periodStart && callURL.endsWith(path) && unit === "requests.all.authenticated");
        return `${path.slice(1, 5)} ${threshold} ${usage}`;
      });
    await use(4);
    assert.deepEqual(told(), []);
    await use(1);
    assert.deepEqual(told(), ["hook 50 5"]);
    await use(1);
    assert.equal(told().length, 1, "not again");
    await set({ amount: 10, notifications, limit: true });
    await use(2);
    assert.deepEqual(told(), ["hook 50 5", "once 80 8"], "not again when the quota is set");

    receiver.answer = (_request, response) => response.writeHead(500).end();
    await use(2);
    const failed = told().length;
    assert.ok(failed > 2, "tried");
    receiver.answer = (_request, response) => void response.end();
    server.clock.now += 60_000;
    await server.app.jobs.tick();
    assert.deepEqual(told().slice(failed), ["hook 100 10"], "tried again");
    server.clock.now += hour;
    await server.app.jobs.tick();
    assert.equal(told().length, failed + 1, "and not once it was taken");
    await use(5);
    assert.deepEqual(told().slice(failed + 1), ["hook 50 5"], "once again in the next period");

    const { events } = (
      await server.rest("POST", "/admin/v1/events/_search", { body: { asc: true, aggregateTypes: ["quota"] } })
    ).body;
    const types = events.map(({ type }: { type: { type: string } }) => type.type.replace("quota.", ""));
    assert.deepEqual(types.filter((type: string) => type === "notification.queued").length, 4);
    assert.deepEqual(types.filter((type: string) => type === "notification.delivered").length, 4);
    assert.ok(!JSON.stringify(events).includes("private"), "the address stays with the operator");
    assert.equal((await remove()).status, 200);
  });

  test("the time that requests wait for actions counts, and actions do not run when it is used up", async (t) => {
    const { server, set, used } = await startQuotaServer(t, engine);
    const organizationId = await defaultOrganization(server);
    const receiver = await startReceiver(t);
    const actions = actionsOf(server);
    const target = await actions.createTarget(receiver.origin, { kind: "restWebhook" });
    await actions.set({ request: { method: "/service.user.v2.UserService/CreateUser" } }, [target]);
    const create = (username: string) =>
      server.rest("POST", "/v2/users/new", { body: { organizationId, username, machine: { name: username } } });
    await set({ unit: "UNIT_ACTIONS_ALL_RUN_SECONDS", amount: 1, limit: true });
    receiver.answer = (_request, response) => void setTimeout(() => response.end(), 600);
    assert.equal((await create("one")).status, 200);
    const [first = 0] = await used();
    assert.ok(first >= 590 && first < 5_000, `${first} ms`);
    assert.equal((await create("two")).status, 200);
    const refused = await create("three");
    assert.deepEqual([refused.status, slug(refused)], [429, "quota.exhausted"]);
    assert.equal(receiver.received.length, 2);
    server.clock.now += hour;
    assert.equal((await create("three")).status, 200);
  });

  test("the time that scripts run counts as that of targets, and when it is used up they do not run", async (t) => {
    const { server, set, used } = await startQuotaServer(t, engine);
    await server.trust();
    await scriptsOf(server).run(
      preUserinfo,
      "busy",
      "function busy(ctx, api) { const end = Date.now() + 450; while (Date.now() < end); api.v1.claims.setClaim('ran', true); }",
    );
    const { access_token: token = "" } = await server.tokens({ scope: "openid" });
    // The quarter that targets would have is left.
    await set({ unit: "UNIT_ACTIONS_ALL_RUN_SECONDS", amount: 1, limit: true });
    const ask = () => server.rest("GET", "/oidc/v1/userinfo", { token });
    const answers = [await ask(), await ask(), await ask()];
    assert.deepEqual(
      answers.map(({ status, body }) => [status, body.ran]),
      [
        [200, true],
        [200, true],
        [503, undefined],
      ],
    );
    const [spent = 0] = await used();
    assert.ok(spent >= 890 && spent < 10_000, `${spent} ms`);
    server.clock.now += hour;
    assert.deepEqual((await ask()).body.ran, true, "the next period");
  });

  test("a quota is added once, and its terms are checked", async (t) => {
    const { server, add, set, remove, me } = await startQuotaServer(t, engine);
    assert.equal(slug(await remove()), "quota.not_found");
    const added = await add({});
    assert.equal(added.status, 200, JSON.stringify(added.body));
    assert.equal(slug(await add({})), "quota.already_exists");
    assert.equal((await add({ unit: "UNIT_ACTIONS_ALL_RUN_SECONDS" })).status, 200, "of each unit");
    const same = await set({});
    assert.equal(same.body.details.sequence, added.body.details.sequence, "the same terms are no change");
    const callUrl = "https://hooks.example";
    const wrong: [object, string][] = [
      [{ resetInterval: "59s" }, "quota.interval_too_short"],
      [{ amount: 0 }, "quota.amount_invalid"],
      [{ amount: "9007199254740993" }, "quota.amount_invalid"],
      [{ notifications: [{ percent: 10, callUrl: "mailto:a@b.example" }] }, "quota.call_url_invalid"],
      [{ notifications: [{ percent: 10, callUrl: "http://10.0.0.1/" }] }, "quota.call_url_invalid"],
      [{ notifications: Array.from({ length: 21 }, () => ({ percent: 10, callUrl })) }, "quota.too_many_notifications"],
    ];
    for (const [terms, expected] of wrong) assert.equal(slug(await set(terms)), expected, JSON.stringify(terms));
    assert.equal((await set({ notifications: [{ percent: 0, callUrl }] })).status, 400);
    assert.equal((await set({ notifications: [{ percent: 100, callUrl }] })).status, 200);
    for (const refused of [
      await add({}, server.ownerToken),
      await set({}, server.ownerToken),
      await remove(server.ownerToken),
    ]) {
      assert.equal(refused.status, 403);
    }
    assert.equal((await remove()).status, 200);
    assert.equal(slug(await remove()), "quota.not_found");
    await set({ amount: 1, limit: true });
    assert.deepEqual([(await me()).status, (await me()).status], [200, 429], "it begins anew");
    await remove();
    assert.equal((await me()).status, 200);
  });
});

onPostgres(() => {
  test("what is counted while a quota is removed does not count against the next one", async (t) => {
    const { server, set, remove, me, used } = await startQuotaServer(t, "postgres");
    const { database, quotaMeter } = server.app.domain;
    await set({ amount: 1, limit: true });
    const outside = await beginOutside(t, database);
    await outside.run("delete from quotas", []);
    assert.equal((await me()).status, 200);
    const folded = quotaMeter.fold();
    await Promise.race([folded, outside.untilWaiting(1)]);
    await outside.commit();
    await folded;
    assert.deepEqual(await used(), [], "nothing is left of a quota that is gone");
    assert.equal((await set({ amount: 1, limit: true })).status, 200);
    assert.deepEqual([(await me()).status, (await me()).status], [200, 429]);
    assert.equal((await remove()).status, 200);
  });

  test("two processes know of each other's counts after a few seconds", async (t) => {
    const { server, set, me, config, used } = await startQuotaServer(t, "postgres");
    const { location, ownerToken, origin, clock } = server;
    const other = await startServer(t, {
      location,
      ownerToken,
      now: clock.now,
      config: { ...config, baseUrl: origin },
    });
    await set({ amount: 6, limit: true });
    const fold = ({ app }: Pick<typeof other, "app">) => app.domain.quotaMeter.fold();
    // Both have the quota in memory, and neither knows what the other counts.
    for (let index = 0; index < 2; index++)
      for (const each of [server, other]) assert.equal((await me(each)).status, 200);
    await Promise.all([fold(server), fold(other)]);
    assert.deepEqual(await used(), [4]);
    for (const each of [other, server]) {
      assert.equal((await me(each)).status, 200);
      await fold(each);
    }
    assert.equal((await me()).status, 429);
    // The other process has not written since, so it lets through as much as is left by what it knows.
    assert.deepEqual([(await me(other)).status, (await me(other)).status], [200, 429]);
    await fold(other);
    assert.deepEqual([(await me()).status, (await me(other)).status], [429, 429]);
    assert.deepEqual(await used(), [7]);
  });
});
