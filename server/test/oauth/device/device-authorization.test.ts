import assert from "node:assert/strict";
import { test } from "node:test";
import { sql } from "../../../src/database/index.ts";
import { enginesInTurn } from "../../support/databases/turns.ts";
import { basicOf } from "../../support/oidc/oidc.ts";
import { changeSettings } from "../../support/servers/change-settings.ts";
import { eachTopology, race } from "../../support/servers/nodes.ts";
import { deviceConfiguration, deviceGrant, startDeviceServer, withDevice } from "./support.ts";

enginesInTurn((engine, test, both) => {
  test("a device gets its codes and, after the user agrees, its tokens, once (RFC 8628)", async (t) => {
    const server = await startDeviceServer(t, { engine });
    const { status, body, headers } = await server.ask({ scope: "openid profile offline_access" });
    assert.equal(status, 200, JSON.stringify(body));
    assert.equal(headers.get("cache-control"), "no-store");
    assert.match(body.device_code, /^dwd_[\w-]{43}$/);
    assert.match(body.user_code, /^[BCDFGHJKLMNPQRSTVWXZ]{4}-[BCDFGHJKLMNPQRSTVWXZ]{4}$/);
    assert.deepEqual(
      [body.verification_uri, body.verification_uri_complete, body.expires_in, body.interval],
      [`${server.origin}/device`, `${server.origin}/device?user_code=${body.user_code}`, 300, 5],
    );
    assert.deepEqual((await server.poll(body.device_code)).body.error, "authorization_pending");

    const session = await server.session();
    const found = await server.rest("GET", `/v2/oidc/device_authorization/${body.user_code}`, {
      token: server.loginToken,
    });
    const { id, ...shown } = found.body.deviceAuthorizationRequest;
    assert.match(id, /^\d+$/);
    assert.deepEqual(
      [shown.clientId, shown.scope, shown.projectName],
      [server.device.clientId, ["openid", "profile", "offline_access"], "Shop"],
    );
    assert.deepEqual((await server.decide(body.user_code, session)).body, {});

    const tokens = await server.poll(body.device_code);
    assert.equal(tokens.status, 200, JSON.stringify(tokens.body));
    assert.deepEqual(Object.keys(tokens.body).sort(), [
      "access_token",
      "expires_in",
      "id_token",
      "refresh_token",
      "scope",
      "token_type",
    ]);
    const introspected = await server.introspect(tokens.body.access_token);
    assert.deepEqual([introspected["active"], introspected["sub"]], [true, server.user.userId]);
    assert.deepEqual((await server.poll(body.device_code)).body.error, "invalid_grant");
    // Signing out ends what the session gave.
    await server.rest("DELETE", `/v2/sessions/${session.sessionId}`, { body: {} });
    assert.equal((await server.introspect(tokens.body.access_token))["active"], false);
  });

  test("refused, expired, unknown, foreign: each has its own answer", async (t) => {
    const server = await startDeviceServer(t, { engine });
    const denied = await server.wait();
    await server.decide(denied.user_code);
    for (let times = 0; times < 2; times++) {
      const { status, body } = await server.poll(denied.device_code);
      assert.deepEqual([status, body.error], [400, "access_denied"]);
    }
    const waiting = await server.wait();
    const { clientId, basic } = server.client;
    assert.equal((await server.poll("dwd_unknown")).body.error, "invalid_grant");
    const missing = { grant_type: deviceGrant, client_id: server.device.clientId };
    assert.equal((await server.form("/oauth/v2/token", missing)).body.error, "invalid_request");
    // A client that may not use the grant, and one that may but did not ask.
    const foreign = { grant_type: deviceGrant, device_code: waiting.device_code };
    assert.equal((await server.form("/oauth/v2/token", foreign, basic)).body.error, "unauthorized_client");
    const other = await server.createClient(deviceConfiguration);
    const byOther = await server.poll(waiting.device_code, { client_id: other.clientId });
    assert.equal(byOther.body.error, "invalid_grant");
    assert.equal((await server.ask({ client_id: clientId })).body.error, "invalid_client");
    assert.equal((await server.form("/oauth/v2/device_authorization", {}, basic)).body.error, "unauthorized_client");
    assert.equal((await server.ask({ client_id: "nobody" })).status, 401);
    assert.equal((await server.ask({ scope: "nonsense" })).body.error, "invalid_scope");
    assert.equal((await server.ask({ scope: "openid urn:service:iam:org:id:404" })).body.error, "invalid_scope");
    assert.equal((await server.ask({ scope: "openid nonsense" })).status, 200);
    assert.equal((await server.ask()).status, 200);

    server.clock.now += 300_000;
    assert.equal((await server.poll(waiting.device_code)).body.error, "expired_token");
    assert.equal((await server.poll(denied.device_code)).body.error, "expired_token");
    const late = await server.rest("GET", `/v2/oidc/device_authorization/${waiting.user_code}`, {
      token: server.loginToken,
    });
    assert.deepEqual([late.status, late.body.details[0].id], [404, "device_authorization.not_found"]);
  });

  both("a device that polls too often is told so, has to wait longer, and that is remembered", async (t) => {
    const server = await startDeviceServer(t, { engine });
    const { device_code: code, user_code: userCode } = await server.wait();
    const after = async (seconds: number) => {
      server.clock.now += seconds * 1000;
      return (await server.poll(code)).body.error;
    };
    assert.equal(await after(0), "authorization_pending");
    assert.equal(await after(5), "authorization_pending");
    assert.equal(await after(4), "slow_down");
    // Ten seconds from now on: five more than before.
    assert.equal(await after(5), "slow_down");
    assert.equal(await after(15), "authorization_pending");
    assert.equal(await after(14), "slow_down");
    assert.equal(await after(20), "authorization_pending");
    // A yes is told at once, however early the question.
    await server.decide(userCode, await server.session());
    assert.equal((await server.poll(code)).status, 200);
  });

  both("a user who may not use the application, or is gone, lets no device in", async (t) => {
    const server = await startDeviceServer(t, { engine });
    const project = (change: object) =>
      server.connect("service.project.v2.ProjectService/UpdateProject", { projectId: server.projectId, ...change });
    await project({ authorizationRequired: true });
    const first = await server.wait();
    const refused = await server.decide(first.user_code, await server.session());
    assert.deepEqual([refused.status, refused.body.details[0].id], [403, "device_authorization.access_denied"]);
    await project({ authorizationRequired: false });
    const wrong = await server.decide(first.user_code, { sessionId: "1", sessionToken: "dws_x" });
    assert.equal(wrong.body.details[0].id, "device_authorization.session_insufficient");

    const session = await server.session();
    assert.equal((await server.decide(first.user_code, session)).status, 200);
    const id = await server.app.domain.database.read.maybe<{ id: string }>(
      sql`select device_authorization_id as "id" from device_authorizations where state = 'approved'`,
    );
    const path = `/v2/oidc/device_authorization/${id?.id}`;
    const again = await server.rest("POST", path, { token: server.loginToken, body: { deny: {} } });
    assert.deepEqual([again.status, again.body.details[0].id], [400, "device_authorization.decided_already"]);
    assert.equal((await server.rest("POST", path, { body: { deny: {} } })).status, 403, "an owner is no login");

    // Approved, and then the person is deactivated before the device asks.
    const { userId } = server.user;
    await server.rest("POST", `/v2/users/${userId}/deactivate`, { body: {} });
    assert.equal((await server.poll(first.device_code)).body.error, "invalid_grant");
    await server.rest("POST", `/v2/users/${userId}/reactivate`, { body: {} });
    await server.rest("DELETE", `/v2/sessions/${session.sessionId}`, { body: {} });
    assert.equal((await server.poll(first.device_code)).body.error, "invalid_grant");
  });

  both("the number of waiting devices per source is limited", async (t) => {
    const server = await startDeviceServer(t, { engine });
    const answers = await Promise.all(Array.from({ length: 110 }, () => server.ask()));
    const statuses = answers.map(({ status }) => status);
    assert.equal(statuses.filter((status) => status === 200).length, 100);
    assert.ok(statuses.every((status) => status === 200 || status === 503));
    server.clock.now += 300_000;
    assert.equal((await server.ask()).status, 200);
  });

  both("what a device left behind is removed, and goes with its client and its user", async (t) => {
    const server = await startDeviceServer(t, { engine });
    const { database } = server.app.domain;
    const rows = async () =>
      Number((await database.read.maybe<{ n: number }>(sql`select count(*) as "n" from device_authorizations`))?.n);
    const [first] = [await server.wait(), await server.wait()];
    await server.decide(first?.user_code ?? "", await server.session());
    assert.equal(await rows(), 2);
    await server.rest("DELETE", `/v2/users/${server.user.userId}`);
    assert.equal(await rows(), 1);
    const { projectId } = server;
    const application = { projectId, applicationId: server.device.applicationId };
    await server.connect("service.application.v2.ApplicationService/DeleteApplication", application);
    assert.equal(await rows(), 0);
    const other = await server.createClient(deviceConfiguration);
    await server.ask({ client_id: other.clientId });
    const started = server.clock.now;
    for (const [passed, left] of [
      [86_400_000, 1],
      [86_400_000 + 360_000, 0],
    ] as const) {
      server.clock.now = started + passed;
      await server.app.jobs.tick();
      assert.equal(await rows(), left);
    }
  });

  test("confidential clients prove themselves, and the settings say how long a code lives", async (t) => {
    const server = await startDeviceServer(t, { engine });
    const client = await server.createClient({
      grantTypes: ["OIDC_GRANT_TYPE_AUTHORIZATION_CODE", "OIDC_GRANT_TYPE_DEVICE_CODE"],
    });
    await changeSettings(server, "oidc", { deviceCodeLifetimeSeconds: 60 });
    const send = (headers: Record<string, string>) => server.form("/oauth/v2/device_authorization", {}, headers);
    assert.equal((await send(basicOf(client.clientId, "wrong"))).body.error, "invalid_client");
    const { body } = await send(client.basic);
    assert.equal(body.expires_in, 60);
    const poll = { grant_type: deviceGrant, device_code: body.device_code };
    assert.equal((await server.form("/oauth/v2/token", poll)).status, 401);
    assert.equal((await server.form("/oauth/v2/token", poll, client.basic)).body.error, "authorization_pending");
    server.clock.now += 60_000;
    assert.equal((await server.form("/oauth/v2/token", poll, client.basic)).body.error, "expired_token");
    const { body: discovery } = await server.rest("GET", "/.well-known/openid-configuration");
    assert.equal(discovery.device_authorization_endpoint, `${server.origin}/oauth/v2/device_authorization`);
    assert.ok(discovery.grant_types_supported.includes(deviceGrant));
  });
});

eachTopology((start, name) => {
  test(`of parallel polls for an approved device exactly one gets tokens (${name})`, async (t) => {
    const cluster = await start(t);
    const server = await withDevice(cluster.first);
    const { device_code: code, user_code: userCode } = await server.wait();
    await server.decide(userCode, await server.session());
    const parameters = { grant_type: deviceGrant, device_code: code, client_id: server.device.clientId };
    const answers = await race(20, cluster, (node) => node.form("/oauth/v2/token", parameters));
    assert.equal(answers.filter(({ status }) => status === 200).length, 1);
    assert.deepEqual(
      new Set(answers.map(({ body }) => body.error)),
      new Set([undefined, "invalid_grant"]),
      JSON.stringify(answers.map(({ body }) => body.error)),
    );
    const [won] = answers.filter(({ status }) => status === 200);
    assert.equal((await server.introspect(won?.body.access_token))["active"], true);
  });

  test(`of parallel decisions one counts, and all parallel polls see it (${name})`, async (t) => {
    const cluster = await start(t);
    const server = await withDevice(cluster.first);
    const { device_code: code, user_code: userCode } = await server.wait();
    const path = `/v2/oidc/device_authorization/${await server.idOf(userCode)}`;
    const session = await server.session();
    const answers = await race(10, cluster, (node, index) =>
      node.rest("POST", path, { token: server.loginToken, body: index % 2 === 0 ? { session } : { deny: {} } }),
    );
    const decided = answers.flatMap(({ status }, index) => (status === 200 ? [index] : []));
    assert.equal(decided.length, 1);
    const { status, body } = await server.poll(code);
    assert.equal(status === 200 ? "allowed" : body.error, (decided[0] ?? 0) % 2 === 0 ? "allowed" : "access_denied");
  });

  test(`parallel polls that come too early are all counted (${name})`, async (t) => {
    const cluster = await start(t);
    const server = await withDevice(cluster.first);
    const { device_code: code } = await server.wait();
    const parameters = { grant_type: deviceGrant, device_code: code, client_id: server.device.clientId };
    const answers = await race(5, cluster, (node) => node.form("/oauth/v2/token", parameters));
    const errors = answers.map(({ body }) => body.error).sort();
    assert.deepEqual(errors, ["authorization_pending", "slow_down", "slow_down", "slow_down", "slow_down"]);
    // Five seconds and four times five.
    server.clock.now += 24_000;
    assert.equal((await server.poll(code)).body.error, "slow_down");
    server.clock.now += 30_000;
    assert.equal((await server.poll(code)).body.error, "authorization_pending");
  });
});
