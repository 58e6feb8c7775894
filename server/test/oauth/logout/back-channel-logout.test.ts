import assert from "node:assert/strict";
import { test } from "node:test";
import { revokeOwnClient } from "../../../src/domain/token/index.ts";
import { enter, visit } from "../../login/support/sign-in.ts";
import { enginesInTurn } from "../../support/databases/turns.ts";
import { fetch } from "../../support/http/fetch.ts";
import { type Receiver, startReceiver } from "../../support/http/receiver.ts";
import { type OidcServer, startOidcServer } from "../../support/oidc/oidc.ts";
import { race, startCluster } from "../../support/servers/nodes.ts";
import { recordedEvents } from "../../support/servers/recorded-events.ts";
import { adoptSession } from "../../support/sign-in/adopt-session.ts";
import { addClient, redirectUri } from "../../support/sign-in/sign-in-client.ts";
import {
  eventually,
  type Listening,
  outcomes,
  settle,
  signInTo,
  startListening,
  verifyToken,
} from "../support/back-channel.ts";
import { personCall } from "../token-exchange/person-call.ts";

/** Every way in which a session ends. */
const endings: readonly [
  what: string,
  end: (server: OidcServer, session: Awaited<ReturnType<typeof signInTo>>) => Promise<{ readonly status: number }>,
][] = [
  [
    "RP-initiated logout",
    async (server, { sessionId, tokens }) =>
      fetch(`${server.origin}/oidc/v1/end_session?id_token_hint=${tokens[0]?.["id_token"]}`, {
        headers: await adoptSession(server, sessionId),
      }),
  ],
  ["the session API", (server, { sessionId }) => server.rest("DELETE", `/v2/sessions/${sessionId}`, { body: {} })],
  [
    "deactivating the user",
    (server) => server.rest("POST", `/v2/users/${server.user.userId}/deactivate`, { body: {} }),
  ],
  ["locking the user", (server) => server.rest("POST", `/v2/users/${server.user.userId}/lock`, { body: {} })],
  ["deleting the user", (server) => server.rest("DELETE", `/v2/users/${server.user.userId}`)],
];

enginesInTurn((engine, test, both) => {
  test("however a session ends, each of its clients, and no other, gets one logout token", async (t) => {
    for (const [what, end] of endings) {
      const server = await startOidcServer(t, { engine });
      const [one, two, other] = await Promise.all([0, 1, 2].map(() => startListening(t, server)));
      assert.ok(one && two && other);
      const session = await signInTo(server, [one.client, two.client, one.client, server.client]);
      await signInTo(server, [server.client]);
      const answer = await end(server, session);
      assert.ok(answer.status < 400, `${what}: ${answer.status}`);
      const ended = await settle(server, 2);
      for (const listening of [one, two]) {
        assert.equal(listening.receiver.received.length, 1, what);
        const [{ method, path, body } = assert.fail()] = listening.receiver.received;
        assert.deepEqual([method, path], ["POST", "/out"]);
        const { payload, protectedHeader } = await verifyToken(server, listening, body);
        assert.equal(payload.sub, server.user.userId);
        assert.equal(payload["sid"], session.sessionId);
        assert.deepEqual(payload["events"], { "http://schemas.openid.net/event/backchannel-logout": {} });
        assert.equal(payload["nonce"], undefined);
        assert.equal((payload.exp ?? 0) - (payload.iat ?? 0), 120);
        assert.equal(protectedHeader.alg, "RS256");
      }
      assert.equal(other.receiver.connections, 0, what);
      const done = [one, two].map(({ client }) => `logout_notice.delivered ${client.clientId} 1`);
      assert.deepEqual(ended, done.toSorted(), what);
      for (const { access_token: token = "" } of session.tokens) {
        assert.equal((await server.introspect(token))["active"], false, what);
      }
    }
  });

  both("a client that is down first is told later, with the same jti", async (t) => {
    const server = await startOidcServer(t, { engine });
    const listening = await startListening(t, server);
    const { receiver } = listening;
    receiver.answer = (_request, response) => response.writeHead(503).end("words of the client");
    const { sessionId } = await signInTo(server, [listening.client]);
    await server.rest("DELETE", `/v2/sessions/${sessionId}`, { body: {} });
    await eventually(() => receiver.received.length === 1, "it is told at once");
    assert.deepEqual(await outcomes(server), []);
    receiver.answer = (_request, response) => response.writeHead(204).end();
    const ended = await settle(server, 1);
    assert.equal(receiver.received.length, 2);
    const [first, second] = await Promise.all(
      receiver.received.map(({ body }) => verifyToken(server, listening, body)),
    );
    assert.equal(first?.payload.jti, second?.payload.jti);
    assert.deepEqual(ended, [`logout_notice.delivered ${listening.client.clientId} 2`]);
    server.clock.now += 3_600_000;
    await server.app.jobs.tick();
    assert.equal(receiver.received.length, 2);
  });

  test("a client that got its tokens in the front channel is told too", async (t) => {
    const server = await startOidcServer(t, { engine });
    const { client, receiver } = await startListening(t, server, {
      responseTypes: ["OIDC_RESPONSE_TYPE_ID_TOKEN"],
      grantTypes: ["OIDC_GRANT_TYPE_IMPLICIT"],
    });
    const query = new URLSearchParams({
      client_id: client.clientId,
      redirect_uri: client.redirectUri,
      response_type: "id_token",
      scope: "openid",
      nonce: "n",
    });
    const { callback, sessionId } = await server.answer(new URL(`${server.origin}/oauth/v2/authorize?${query}`));
    assert.match(callback.hash, /id_token=/);
    await server.rest("DELETE", `/v2/sessions/${sessionId}`, { body: {} });
    await eventually(() => receiver.received.length === 1, "the client is told");
  });

  test("a client that the user no longer lets in is told nothing of the next sign-out (A18)", async (t) => {
    const server = await startOidcServer(t, { engine });
    const [removed, kept] = await Promise.all([0, 1].map(() => startListening(t, server)));
    assert.ok(removed && kept);
    const receiver = await startReceiver(t);
    const changing = await addClient(server, {
      isConsentRequired: true,
      backChannelLogoutUri: `${receiver.origin}/out`,
    });
    const session = await signInTo(server, [removed.client, kept.client]);
    const stranger = { ...kept.client, clientId: changing.clientId, redirectUri };
    await server.signIn({ client: stranger, session });
    const person = await personCall(server, server.user.userId);
    await revokeOwnClient(server.app.domain, person, { clientId: removed.client.clientId });
    const { status } = await server.connect("service.application.v2.ApplicationService/UpdateApplication", {
      applicationId: changing.applicationId,
      projectId: changing.projectId,
      oidcConfiguration: { redirectUris: [redirectUri, "https://elsewhere.example/callback"] },
    });
    assert.equal(status, 200);
    // Let in again in another session, of which it is told.
    const again = await signInTo(server, [removed.client]);
    await server.rest("DELETE", `/v2/sessions/${session.sessionId}`, { body: {} });
    assert.deepEqual(await settle(server, 1), [`logout_notice.delivered ${kept.client.clientId} 1`]);
    assert.deepEqual(
      [removed, kept].map((one) => one.receiver.received.length).concat(receiver.received.length),
      [0, 1, 0],
    );
    await server.rest("DELETE", `/v2/sessions/${again.sessionId}`, { body: {} });
    await settle(server, 2);
    assert.equal(removed.receiver.received.length, 1);
  });

  both("a notice that waits for another attempt does not reach what the client became meanwhile (A18)", async (t) => {
    const server = await startOidcServer(t, { engine });
    const kept = await startListening(t, server);
    const receiver = await startReceiver(t);
    const changing = await addClient(server, {
      isConsentRequired: true,
      backChannelLogoutUri: `${receiver.origin}/out`,
    });
    const session = await signInTo(server, [kept.client]);
    await server.signIn({ client: { ...kept.client, clientId: changing.clientId, redirectUri }, session });
    for (const one of [receiver, kept.receiver]) one.answer = (_request, response) => response.writeHead(503).end();
    await server.rest("DELETE", `/v2/sessions/${session.sessionId}`, { body: {} });
    await eventually(() => receiver.received.length + kept.receiver.received.length === 2, "both are told at once");
    const { status } = await server.connect("service.application.v2.ApplicationService/UpdateApplication", {
      applicationId: changing.applicationId,
      projectId: changing.projectId,
      oidcConfiguration: { redirectUris: [redirectUri, "https://elsewhere.example/callback"] },
    });
    assert.equal(status, 200);
    for (const one of [receiver, kept.receiver]) one.answer = (_request, response) => response.writeHead(204).end();
    assert.deepEqual(await settle(server, 1), [`logout_notice.delivered ${kept.client.clientId} 2`]);
    assert.equal(receiver.received.length, 1);
  });

  test("signing out on our page tells clients too", async (t) => {
    const server = await startOidcServer(t, { engine });
    const receiver = await startReceiver(t);
    const client = await addClient(server, { backChannelLogoutUri: `${receiver.origin}/out` });
    const { browser, page } = await visit(server, client);
    await enter({ browser, page }, server.user);
    await browser.submit(await browser.open("/oidc/v1/end_session"));
    await eventually(() => receiver.received.length === 1, "the client is told");
  });

  both("nodes that look at the queue at once send nothing twice", async (t) => {
    const cluster = await startCluster(t, engine, engine === "sqlite" ? 1 : 2);
    const { first } = cluster;
    const listening = await startListening(t, first);
    const sessions: { readonly sessionId: string }[] = [];
    for (let index = 0; index < 6; index++) sessions.push(await signInTo(first, [listening.client]));
    await race(sessions.length * 2, cluster, (node, index) =>
      node.rest("DELETE", `/v2/sessions/${sessions[index % sessions.length]?.sessionId}`, { body: {} }),
    );
    for (const { clock } of cluster.nodes) clock.now += 10_000;
    await Promise.all(cluster.nodes.map(({ app }) => app.jobs.tick()));
    await eventually(async () => (await outcomes(first)).length === sessions.length, "all are delivered");
    const tokens = listening.receiver.received.map(({ body }) => body);
    const told = tokens.map((body) => {
      const [, claims = ""] = (new URLSearchParams(body).get("logout_token") ?? "").split(".");
      return JSON.parse(Buffer.from(claims, "base64url").toString("utf8")).sid;
    });
    assert.deepEqual(told.toSorted(), sessions.map(({ sessionId }) => sessionId).toSorted());
  });
});

/** Ways to fail, and what the event says of each in the end. */
const failures: readonly [failure: string, answer: Receiver["answer"]][] = [
  ["status_400", (_request, response) => response.writeHead(400).end('{"error":"words of the client"}')],
  ["status_201", (_request, response) => response.writeHead(201).end()],
  ["redirected", (_request, response) => response.writeHead(302, { location: "/elsewhere" }).end()],
  ["too_large", (_request, response) => response.end("x".repeat(100_000))],
  ["connection_failed", (_request, response) => response.socket?.destroy()],
];

// A request that is given up takes five seconds, so only the first one hangs.
function hangOnce({ receiver }: Listening): void {
  receiver.answer = (_request, response) => {
    if (receiver.received.length > 1) response.writeHead(500).end();
  };
}

test("a client that cannot be told is given up after five attempts, visibly, and holds up no other", async (t) => {
  const server = await startOidcServer(t);
  const good = await startListening(t, server);
  const hanging = { ...(await startListening(t, server)), failure: "status_500" };
  hangOnce(hanging);
  const quick = failures.map(async ([failure, answer]) => {
    const listening = await startListening(t, server);
    listening.receiver.answer = answer;
    return { ...listening, failure };
  });
  const bad = [...(await Promise.all(quick)), hanging];
  const gone = await startListening(t, server, { backChannelLogoutUri: "http://10.0.0.1/out" });
  const clients = [...bad.map(({ client }) => client), gone.client, good.client];
  const { sessionId } = await signInTo(server, clients);
  const ended = performance.now();
  const answer = await server.rest("DELETE", `/v2/sessions/${sessionId}`, { body: {} });
  assert.equal(answer.status, 200);
  await eventually(() => good.receiver.received.length === 1, "one that answers does not wait for the others");
  assert.ok(performance.now() - ended < 4_500, "it was told before the one that hangs was given up");
  const outcome = await settle(server, clients.length, 180_000);
  for (const { receiver, failure } of bad) assert.equal(receiver.received.length, 5, failure);
  const expected = [
    `logout_notice.delivered ${good.client.clientId} 1`,
    `logout_notice.failed ${gone.client.clientId} 5 address_refused`,
    ...bad.map(({ client, failure }) => `logout_notice.failed ${client.clientId} 5 ${failure}`),
  ];
  assert.deepEqual(outcome, expected.toSorted());
  const feed = JSON.stringify(await recordedEvents(server));
  assert.doesNotMatch(feed, /words of the client/);
  const { body } = await server.rest("GET", "/debug/metrics", { token: null });
  assert.match(body, /doorward_job_records_total\{job="deliver_logouts",records="failed"\} 7/);
});

test("a client that is deleted, deactivated or listens no more is told nothing", async (t) => {
  const server = await startOidcServer(t);
  const [deleted, deactivated, silent] = await Promise.all([0, 1, 2].map(() => startListening(t, server)));
  assert.ok(deleted && deactivated && silent);
  const { sessionId } = await signInTo(server, [deleted.client, deactivated.client, silent.client]);
  const application = "service.application.v2.ApplicationService";
  const call = async (method: string, { client }: Listening, more: object = {}): Promise<void> => {
    const body = { applicationId: client.applicationId, projectId: server.projectId, ...more };
    const { status, body: said } = await server.connect(`${application}/${method}`, body);
    assert.equal(status, 200, JSON.stringify(said));
  };
  await call("DeleteApplication", deleted);
  await call("DeactivateApplication", deactivated);
  await call("UpdateApplication", silent, { oidcConfiguration: { backChannelLogoutUri: "" } });
  await server.rest("DELETE", `/v2/sessions/${sessionId}`, { body: {} });
  const outcome = await settle(server, 2);
  for (const { receiver } of [deleted, deactivated, silent]) assert.equal(receiver.connections, 0);
  assert.deepEqual(
    outcome,
    [deactivated, silent]
      .map(({ client }) => `logout_notice.failed ${client.clientId} 1 client_not_listening`)
      .toSorted(),
  );
});

test("discovery says that clients are told of logouts, with the session", async (t) => {
  const server = await startOidcServer(t);
  const { body } = await server.rest("GET", "/.well-known/openid-configuration", { token: null });
  assert.equal(body.backchannel_logout_supported, true);
  assert.equal(body.backchannel_logout_session_supported, true);
});
