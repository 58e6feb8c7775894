import assert from "node:assert/strict";
import { test } from "node:test";
import { actionsOf } from "../action/support/actions.ts";
import { eventually, signInTo, startListening } from "../oauth/support/back-channel.ts";
import { eachEngine } from "../support/databases/databases.ts";
import { type Receiver, startReceiver } from "../support/http/receiver.ts";
import { createSecondInstance, secondHost } from "../support/people/system-user.ts";
import { type QuotaServer, slug, startQuotaServer } from "./support/quota.ts";

interface Failed {
  readonly database: string;
  readonly viewName: string;
  readonly failedSequence: number;
  readonly failureCount: number;
  readonly errorMessage: string;
  readonly lastFailed: string;
  readonly instanceId?: string;
}

const inSeconds = (now: number): string => new Date(now).toISOString().replace(".000", "");

/** Makes a delivery of each queue fail, all of them at the same receiver. */
async function failEverything(of: QuotaServer, receiver: Receiver, tick: () => Promise<void>) {
  const { server, set, me } = of;
  receiver.answer = (_request, response) => response.writeHead(500).end("words of the receiver");
  const actions = actionsOf(server);
  const target = await actions.createTarget(receiver.origin, { kind: "restWebhook" });
  await actions.set({ event: { event: "user.created" } }, [target]);
  const { id: provider } = (
    await server.rest("POST", "/admin/v1/email/http", { body: { endpoint: `${receiver.origin}/mail?key=private` } })
  ).body;
  await server.rest("POST", `/admin/v1/email/${provider}/_activate`, { body: {} });
  const created = await server.rest("POST", "/v2/users/human", {
    body: {
      username: "eve",
      profile: { givenName: "Eve", familyName: "Example" },
      email: { email: "eve@mail.example", sendCode: {} },
    },
  });
  assert.ok(created.status < 300, JSON.stringify(created.body));
  const listening = await startListening(of.t, server);
  listening.receiver.answer = receiver.answer;
  const { sessionId } = await signInTo(server, [listening.client]);
  await server.rest("DELETE", `/v2/sessions/${sessionId}`, { body: {} });
  await set({ amount: 1, notifications: [{ percent: 100, callUrl: `${receiver.origin}/quota?key=private` }] });
  await me();
  await eventually(() => listening.receiver.received.length > 0, "the client is told");
  for (let round = 0; round < 3; round++) await tick();
  // On PostgreSQL, an event is delivered once no older transaction of the server runs, also one of another test. The
  // time stands still meanwhile, because a logout notice is given up after some minutes.
  await eventually(async () => {
    const isCalled = receiver.received.some(({ path }) => path === "/");
    if (!isCalled) await server.app.jobs.tick();
    return isCalled;
  }, "the target is called");
  await tick();
  return { targetId: target.targetId, client: listening.client, clientReceiver: listening.receiver };
}

eachEngine((_open, engine) => {
  test("deliveries that failed are listed for those whom they concern, and given up by them", async (t) => {
    const of = await startQuotaServer(t, engine);
    const { server, token, instanceId } = of;
    const { pat } = await createSecondInstance(server, token());
    const receiver = await startReceiver(t);
    const tick = async (): Promise<void> => {
      server.clock.now += 15_000;
      await server.app.jobs.tick();
    };
    const { targetId, client, clientReceiver } = await failEverything(of, receiver, tick);
    const search = async (path: string, as: string): Promise<Failed[]> => {
      const answer = await server.rest("POST", `/${path}/v1/failedevents/_search`, { token: as, body: {} });
      assert.equal(answer.status, 200, JSON.stringify(answer.body));
      return answer.body.result ?? [];
    };
    const own = () => search("admin", server.ownerToken);
    const all = () => search("system", token());

    const listed = await own();
    const byQueue = new Map(listed.map((failed) => [failed.database, failed]));
    assert.deepEqual([...byQueue.keys()].sort(), ["deliveries", "logout_notices", "notifications"]);
    const [delivery, message, notice] = ["deliveries", "notifications", "logout_notices"].map(
      (queue) => byQueue.get(queue) ?? assert.fail(queue),
    ) as [Failed, Failed, Failed];
    assert.equal(delivery.viewName, targetId);
    assert.equal(message.viewName, "email");
    assert.equal(notice.viewName, client.clientId);
    assert.ok(listed.every(({ failedSequence }) => Number.isSafeInteger(failedSequence)));
    for (const { failureCount, errorMessage, lastFailed } of listed) {
      assert.match(errorMessage, /^(status_500|http\.\w+|refused\w*|\w+\.?\w*)$/);
      assert.ok(failureCount > 0);
      const age = server.clock.now - Date.parse(lastFailed);
      assert.ok(age >= 0 && age <= 60_000, lastFailed);
    }
    assert.ok(
      !/private|words of|eve@/.test(JSON.stringify([listed, await all()])),
      "no address, no answer, no recipient",
    );
    const everywhere = await all();
    assert.deepEqual(everywhere.map(({ database }) => database).sort(), [
      "deliveries",
      "logout_notices",
      "notifications",
      "quota_notifications",
    ]);
    assert.ok(everywhere.every((failed) => failed.instanceId === instanceId));
    const there = await server.byHost(secondHost, "POST", "/admin/v1/failedevents/_search", { token: pat, body: {} });
    assert.deepEqual([there.status, there.body.result ?? []], [200, []]);

    const pathOf = ({ database, viewName, failedSequence }: Failed) =>
      `/failedevents/${database}/${viewName}/${failedSequence}`;
    const quota = everywhere.find(({ database }) => database === "quota_notifications") ?? assert.fail();
    for (const failed of [delivery, message, notice, quota]) {
      const path = `/admin/v1${pathOf(failed)}`;
      const foreign = await server.byHost(secondHost, "DELETE", path, { token: pat });
      assert.deepEqual([foreign.status, slug(foreign)], [404, "failed_event.not_found"], path);
      const system = await server.rest("DELETE", `/system/v1${pathOf(failed)}`, { token: server.ownerToken });
      assert.equal(system.status, 403);
    }
    assert.equal(slug(await server.rest("DELETE", `/admin/v1${pathOf(quota)}`)), "failed_event.not_found");
    for (const queue of ["constructor", "nothing", "deliveries"]) {
      assert.equal(slug(await server.rest("DELETE", `/admin/v1/failedevents/${queue}/x/1`)), "failed_event.not_found");
    }
    assert.equal((await own()).length, 3, "nothing was given up");

    for (const failed of [delivery, message]) {
      assert.equal((await server.rest("DELETE", `/admin/v1${pathOf(failed)}`)).status, 200, failed.database);
      assert.equal(slug(await server.rest("DELETE", `/admin/v1${pathOf(failed)}`)), "failed_event.not_found");
    }
    for (const failed of [notice, quota]) {
      const path = `/system/v1${pathOf(failed)}?instanceId=${instanceId}`;
      assert.equal((await server.rest("DELETE", path, { token: token() })).status, 200, failed.database);
    }
    assert.deepEqual([await own(), await all()], [[], []]);

    const before = [receiver.received.length, clientReceiver.received.length];
    for (const each of [receiver, clientReceiver]) each.answer = (_request, response) => void response.end();
    server.clock.now += 600_000;
    for (let round = 0; round < 3; round++) await tick();
    assert.deepEqual([receiver.received.length, clientReceiver.received.length], before, "none is tried again");
    const { events } = (await server.rest("POST", "/admin/v1/events/_search", { body: {} })).body;
    const ended = events.filter(({ payload }: { payload?: { failure?: string } }) => payload?.failure === "given_up");
    assert.deepEqual(ended.map(({ type }: { type: { type: string } }) => type.type).sort(), [
      "logout_notice.failed",
      "notification.failed",
      "quota.notification.failed",
    ]);
    assert.ok(events.some(({ type }: { type: { type: string } }) => type.type === "target.delivery.given_up"));
  });

  test("feeds and jobs are listed; a job can be made due, a feed cannot be set back", async (t) => {
    const { server, token } = await startQuotaServer(t, engine);
    const receiver = await startReceiver(t);
    const actions = actionsOf(server);
    await actions.set({ event: { event: "user.created" } }, [await actions.createTarget(receiver.origin)]);
    server.clock.now += 1000;
    await server.rest("POST", "/v2/users/new", {
      body: { organizationId: server.organizationId, username: "m", machine: { name: "m" } },
    });
    await eventually(() => receiver.received.length > 0, "the feed is followed");
    await server.app.jobs.tick();
    const views = async (path: string, as: string) =>
      (await server.rest("POST", `/${path}/v1/views/_search`, { token: as, body: {} })).body.result as {
        database: string;
        viewName: string;
        processedSequence: number;
        eventTimestamp?: string;
        lastSuccessfulSpoolerRun?: string;
      }[];
    const now = inSeconds(server.clock.now);
    const feed = (await views("system", token())).find(({ database }) => database === "feeds") ?? assert.fail();
    assert.equal(feed.viewName, "actions");
    assert.ok(feed.processedSequence > 0);
    assert.deepEqual([feed.eventTimestamp, feed.lastSuccessfulSpoolerRun], [now, now]);
    const ours = await views("admin", server.ownerToken);
    assert.deepEqual(ours[0], { database: "feeds", viewName: "actions", processedSequence: 0, eventTimestamp: now });
    const jobs = ours.filter(({ database }) => database === "jobs");
    assert.ok(jobs.length > 5 && jobs.every(({ lastSuccessfulSpoolerRun }) => lastSuccessfulSpoolerRun === now));

    const clear = (path: string, as = token()) =>
      server.rest("POST", `/system/v1/views/${path}`, { token: as, body: {} });
    const ranAt = async () =>
      (await views("system", token())).find(({ viewName }) => viewName === "rotate_keys")?.lastSuccessfulSpoolerRun;
    server.clock.now += 1000;
    await server.app.jobs.tick();
    assert.equal(await ranAt(), now, "not due");
    assert.equal((await clear("jobs/rotate_keys")).status, 200);
    await server.app.jobs.tick();
    assert.equal(await ranAt(), inSeconds(server.clock.now));
    const refused = await clear("feeds/actions");
    assert.deepEqual([refused.status, refused.body.code, slug(refused)], [400, 9, "view.would_deliver_again"]);
    assert.equal(slug(await clear("feeds/nothing")), "view.not_found");
    assert.equal(slug(await clear("jobs/nothing")), "view.not_found");
    assert.equal((await clear("jobs/rotate_keys", server.ownerToken)).status, 403);
    assert.equal((await server.rest("POST", "/system/v1/views/_search", { body: {} })).status, 403);
  });
});
